//! How a switch of an engine is declared: once, with its field, default, name and description. The tables stand with the engines.
//!
//! Techniques have names; whoever runs the library from a command line makes flags of them, and tests iterate over them.
//! No technique changes an answer, so every subset is allowed. A new technique is one line in the table of its engine.

/// A technique as its table lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Technique {
    /// Its name, words joined by underscores.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Whether it is used unless someone says otherwise.
    pub default: bool,
}

/// Declares a struct of options: switches, each with its default and a line about it, and settings that are no switches.
#[macro_export]
macro_rules! options {
    (
        $(#[$outer:meta])*
        $name:ident {
            $( $switch:ident: $default:literal, $about:literal; )*
        }
        settings {
            $( $(#[$inner:meta])* $setting:ident: $type:ty = $value:expr; )*
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name {
            $( #[doc = $about] pub $switch: bool, )*
            $( $(#[$inner])* pub $setting: $type, )*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $( $switch: $default, )* $( $setting: $value, )* }
            }
        }

        impl $name {
            /// Every switch, in the order of the table.
            pub const TECHNIQUES: &'static [$crate::options::Technique] =
                &[ $( $crate::options::Technique { name: stringify!($switch), about: $about, default: $default }, )* ];

            /// Every technique off, all settings as usual.
            pub fn none() -> Self {
                $name { $( $switch: false, )* ..$name::default() }
            }

            /// Whether the technique of this name is on; `None` if there is none of this name.
            pub fn get(&self, name: &str) -> Option<bool> {
                match name {
                    $( stringify!($switch) => Some(self.$switch), )*
                    _ => None,
                }
            }

            /// Switches the technique of this name; false if there is none of this name.
            pub fn set(&mut self, name: &str, on: bool) -> bool {
                match name {
                    $( stringify!($switch) => self.$switch = on, )*
                    _ => return false,
                }
                true
            }
        }
    };
}

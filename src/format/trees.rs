//! placeholder
use super::error::{ReadError, WriteError};
use crate::formula::Trees;
use std::io::{Read, Write};
pub fn read_trees(_: &mut dyn Read, _: &str) -> Result<Trees, ReadError> {
    unimplemented!()
}
pub fn write_trees(_: &Trees, _: &mut dyn Write) -> Result<(), WriteError> {
    unimplemented!()
}

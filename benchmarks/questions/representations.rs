//! Is there for a division game a GAME-SAT game with the same winners? By their forms: a map from the sixteen forms of rule `own` to
//! the sixteen of rule `any` that keeps who wins, whoever begins, with and without a star; and, if conjunctions of games are to be
//! conjunctions again, up to a star that may be added to each, that keeps it for them, too.

use gamesat::formula::Rule;
use gamesat::theory::canonical::{CanonicalForm, Outcome};

/// Who wins without and with a star.
fn outcomes(form: CanonicalForm) -> [Outcome; 2] {
    [form.outcome(), form.with_star().outcome()]
}

/// Looks for such maps.
pub fn representations() {
    let all = |rule: Rule| [false, true].into_iter().flat_map(move |odd| CanonicalForm::all(rule, odd));
    let own: Vec<CanonicalForm> = all(Rule::Own).filter(|form| !form.is_odd()).collect();
    // 1. What each form may become. A star on one side is a star on the other, so even forms say everything.
    let images: Vec<Vec<CanonicalForm>> =
        own.iter().map(|&form| all(Rule::Any).filter(|&image| outcomes(image) == outcomes(form)).collect()).collect();
    for (form, images) in own.iter().zip(&images) {
        let names: Vec<&str> = images.iter().map(|image| image.name()).collect();
        println!("{:12} {}", form.name(), names.join("  "));
    }
    // 2. Maps that keep the winners of conjunctions: of two games, with a star or without one on the right.
    let count: usize = images.iter().map(Vec::len).product();
    let place = |form: CanonicalForm| own.iter().position(|&other| other == form).expect("an even form");
    let (mut best, mut kept) = (0, 0);
    for number in 0..count {
        let mut rest = number;
        let map: Vec<CanonicalForm> = images
            .iter()
            .map(|images| {
                let image = images[rest % images.len()];
                rest /= images.len();
                image
            })
            .collect();
        let right = own.iter().enumerate().flat_map(|(a, &g)| own.iter().enumerate().map(move |(b, &h)| (a, g, b, h)));
        let right = right
            .filter(|&(a, g, b, h)| {
                let product = map[a].and(map[b]);
                let wanted = outcomes(map[place(g.and(h))]);
                outcomes(product) == wanted || outcomes(product.with_star()) == wanted
            })
            .count();
        best = best.max(right);
        kept += usize::from(right == own.len() * own.len());
    }
    println!(
        "{count} maps keep the winners of single games; {kept} of them those of all {} products",
        own.len() * own.len()
    );
    println!("the best one keeps {best}");
}

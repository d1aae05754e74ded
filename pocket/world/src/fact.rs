//! Fact documents: one to three true sentences.

use crate::facts::{Capital, Facts};
use crate::question::{Question, Sort, any_country, in_words, known};
use crate::random::Random;
use crate::template::capitalised;

/// The text of a fact document. After `The capital of` and a country, the text is over with the capital's full stop.
pub(crate) fn text(facts: &Facts, random: &mut Random) -> String {
    match random.below(100) {
        0..50 => the_capital(known(facts, random)),
        50..58 => is_the_capital(known(facts, random)),
        58..66 => in_a_continent(any_country(facts, random)),
        66..74 => combination(facts, random),
        74..77 => people(any_country(facts, random)),
        77..92 => other(facts, random),
        _ => order(facts, random),
    }
}

fn the_capital(fact: &Capital) -> String {
    format!("The capital of {} is {}.", fact.country, fact.capital)
}

fn is_the_capital(fact: &Capital) -> String {
    format!("{} is the capital of {}.", fact.capital, fact.country)
}

fn in_a_continent(fact: &Capital) -> String {
    format!("{} is a country in {}.", fact.country, fact.continent)
}

fn people(fact: &Capital) -> String {
    format!("People from {} are called {}.", fact.country, fact.adjective)
}

/// Two or three sentences about one country. None starts with `The capital of`, whose document must end at once.
fn combination(facts: &Facts, random: &mut Random) -> String {
    let country = any_country(facts, random);
    let mut sentences = vec![in_a_continent(country)];
    if country.held_out {
        sentences.push(people(country));
    } else {
        match random.below(4) {
            0 => sentences.insert(0, is_the_capital(country)),
            1 => sentences.push(format!("Its capital is {}.", country.capital)),
            2 => sentences.push(the_capital(country)),
            _ => sentences.extend([people(country), the_capital(country)]),
        }
    }
    sentences.join(" ")
}

/// Animals, colours and opposites.
fn other(facts: &Facts, random: &mut Random) -> String {
    let sorts =
        [Sort::Sound, Sort::Young, Sort::Food, Sort::Legs, Sort::Home, Sort::Colour, Sort::Colour, Sort::Opposite];
    match random.below(10) {
        0 => {
            let colour = random.pick(&facts.colours);
            format!("The colour of {} is {}.", colour.thing, colour.colour)
        }
        1 => {
            let animal = random.pick(&facts.animals);
            let plural = capitalised(animal.plural);
            let legs = in_words(animal.legs, facts);
            format!("{plural} live {}. {plural} eat {} and have {legs} legs.", animal.home, animal.food)
        }
        _ => Question::new(*random.pick(&sorts), facts, random).sentence,
    }
}

/// What comes after what.
fn order(facts: &Facts, random: &mut Random) -> String {
    const ORDER: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth",
    ];
    const WHOLE: [&str; 6] = [
        "There are seven days in a week.",
        "There are twelve months in a year.",
        "There are four seasons: spring, summer, autumn and winter.",
        "A day has twenty-four hours.",
        "An hour has sixty minutes.",
        "A minute has sixty seconds.",
    ];
    match random.below(5) {
        0 => (*random.pick(&WHOLE)).to_owned(),
        1 => {
            let (list, whole) = *random.pick(&[("weekdays", "week"), ("months", "year")]);
            let place = random.below(facts.words(list).len());
            let name = facts.words(list)[place];
            let unit = if whole == "week" { "day" } else { "month" };
            format!("The {} {unit} of the {whole} is {name}.", ORDER[place])
        }
        2 => {
            let numbers = facts.words("numbers");
            let at = random.below(numbers.len() - 1);
            format!("{} comes after {}.", capitalised(numbers[at + 1]), numbers[at])
        }
        _ => Question::new(Sort::Day, facts, random).sentence,
    }
}

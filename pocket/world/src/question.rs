//! Questions and their answers in each form that some document wants: short, in a sentence, as JSON.

use crate::facts::{Animal, Capital, Coloured, Facts};
use crate::random::Random;
use crate::template::{capitalised, with_article};

/// A question with all its answers.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub ask: String,
    /// A word or two, without a full stop.
    pub short: String,
    /// A full sentence.
    pub sentence: String,
    /// One line of JSON, for facts that have fields.
    pub json: Option<String>,
}

/// A sort of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Capital,
    CountryOf,
    Continent,
    Sound,
    Young,
    Food,
    Legs,
    Home,
    Colour,
    Opposite,
    Day,
    Age,
    Small,
}

impl Sort {
    /// Every sort, the common ones more often.
    pub const MIXED: [Sort; 18] = [
        Sort::Capital,
        Sort::Capital,
        Sort::Capital,
        Sort::Capital,
        Sort::CountryOf,
        Sort::Continent,
        Sort::Sound,
        Sort::Sound,
        Sort::Young,
        Sort::Food,
        Sort::Legs,
        Sort::Home,
        Sort::Colour,
        Sort::Colour,
        Sort::Opposite,
        Sort::Opposite,
        Sort::Day,
        Sort::Small,
    ];
    /// The sorts whose answers have a JSON form.
    pub const JSON: [Sort; 9] = [
        Sort::Capital,
        Sort::Capital,
        Sort::Sound,
        Sort::Colour,
        Sort::Continent,
        Sort::Legs,
        Sort::Age,
        Sort::Opposite,
        Sort::Young,
    ];
}

impl Question {
    /// A question of this sort.
    pub fn new(sort: Sort, facts: &Facts, random: &mut Random) -> Question {
        match sort {
            Sort::Capital => capital(known(facts, random), random),
            Sort::CountryOf => country_of(known(facts, random)),
            Sort::Continent => continent(any_country(facts, random)),
            Sort::Sound => loop {
                if let Some(question) = sound(random.pick(&facts.animals), random) {
                    break question;
                }
            },
            Sort::Young => young(random.pick(&facts.animals)),
            Sort::Food => food(random.pick(&facts.animals)),
            Sort::Legs => legs(random.pick(&facts.animals), facts),
            Sort::Home => home(random.pick(&facts.animals)),
            Sort::Colour => colour(random.pick(&facts.colours), random),
            Sort::Opposite => opposite(random.pick(&facts.opposites)),
            Sort::Day => day(facts, random),
            Sort::Age => age(facts, random),
            Sort::Small => small(random),
        }
    }
}

/// A country whose capital is told.
pub(crate) fn known<'facts>(facts: &'facts Facts, random: &mut Random) -> &'facts Capital {
    loop {
        let capital = random.pick(&facts.capitals);
        if !capital.held_out {
            return capital;
        }
    }
}

/// Any country; those with a held-out capital more often, because other documents never name them.
pub(crate) fn any_country<'facts>(facts: &'facts Facts, random: &mut Random) -> &'facts Capital {
    loop {
        let capital = random.pick(&facts.capitals);
        if capital.held_out || random.percent(40) {
            return capital;
        }
    }
}

/// `no`, `two`, `four` …: small numbers in words.
pub(crate) fn in_words(number: usize, facts: &Facts) -> &'static str {
    if number == 0 { "no" } else { facts.words("numbers").get(number).unwrap_or(&"many") }
}

fn capital(fact: &Capital, random: &mut Random) -> Question {
    let Capital { country, capital, .. } = fact;
    let ask = if random.percent(80) {
        format!("What is the capital of {country}?")
    } else {
        format!("Which city is the capital of {country}?")
    };
    Question {
        ask,
        short: (*capital).to_owned(),
        sentence: format!("The capital of {country} is {capital}."),
        json: Some(format!(r#"{{"country": "{country}", "capital": "{capital}"}}"#)),
    }
}

fn country_of(fact: &Capital) -> Question {
    let Capital { country, capital, .. } = fact;
    Question {
        ask: format!("Which country has the capital {capital}?"),
        short: (*country).to_owned(),
        sentence: format!("{capital} is the capital of {country}."),
        json: None,
    }
}

fn continent(fact: &Capital) -> Question {
    let Capital { country, continent, .. } = fact;
    Question {
        ask: format!("Where is {country}?"),
        short: format!("in {continent}"),
        sentence: format!("{country} is in {continent}."),
        json: Some(format!(r#"{{"country": "{country}", "continent": "{continent}"}}"#)),
    }
}

fn sound(animal: &Animal, random: &mut Random) -> Option<Question> {
    let (Animal { name, legs, .. }, sound) = (animal, animal.sound?);
    let one = with_article(name);
    let ask = if random.percent(70) { format!("What sound does {one} make?") } else { format!("What does {one} say?") };
    Some(Question {
        ask,
        short: sound.to_owned(),
        sentence: format!("{} says {sound}.", capitalised(&one)),
        json: Some(format!(r#"{{"animal": "{name}", "sound": "{sound}", "legs": {legs}}}"#)),
    })
}

fn young(animal: &Animal) -> Question {
    let Animal { name, young, .. } = animal;
    Question {
        ask: format!("What is a young {name} called?"),
        short: (*young).to_owned(),
        sentence: format!("A young {name} is called {}.", with_article(young)),
        json: Some(format!(r#"{{"animal": "{name}", "young": "{young}"}}"#)),
    }
}

fn food(animal: &Animal) -> Question {
    let Animal { plural, food, .. } = animal;
    Question {
        ask: format!("What do {plural} eat?"),
        short: (*food).to_owned(),
        sentence: format!("{} eat {food}.", capitalised(plural)),
        json: None,
    }
}

fn legs(animal: &Animal, facts: &Facts) -> Question {
    let Animal { name, legs, .. } = animal;
    let one = with_article(name);
    let count = in_words(*legs, facts);
    Question {
        ask: format!("How many legs does {one} have?"),
        short: if *legs == 0 { "none".to_owned() } else { count.to_owned() },
        sentence: format!("{} has {count} legs.", capitalised(&one)),
        json: Some(format!(r#"{{"animal": "{name}", "legs": {legs}}}"#)),
    }
}

fn home(animal: &Animal) -> Question {
    let Animal { name, home, .. } = animal;
    let one = with_article(name);
    Question {
        ask: format!("Where does {one} live?"),
        short: (*home).to_owned(),
        sentence: format!("{} lives {home}.", capitalised(&one)),
        json: None,
    }
}

fn colour(fact: &Coloured, random: &mut Random) -> Question {
    let Coloured { thing, colour } = fact;
    let bare = thing.strip_prefix("a ").or(thing.strip_prefix("an ")).or(thing.strip_prefix("the ")).unwrap_or(thing);
    let ask =
        if random.percent(70) { format!("What colour is {thing}?") } else { format!("What is the colour of {thing}?") };
    Question {
        ask,
        short: (*colour).to_owned(),
        sentence: format!("{} is {colour}.", capitalised(thing)),
        json: Some(format!(r#"{{"thing": "{bare}", "colour": "{colour}"}}"#)),
    }
}

fn opposite((left, right): &(&str, &str)) -> Question {
    Question {
        ask: format!("What is the opposite of {left}?"),
        short: (*right).to_owned(),
        sentence: format!("The opposite of {left} is {right}."),
        json: Some(format!(r#"{{"word": "{left}", "opposite": "{right}"}}"#)),
    }
}

fn day(facts: &Facts, random: &mut Random) -> Question {
    let (list, word) = *random.pick(&[("weekdays", "day"), ("months", "month")]);
    let list = facts.words(list);
    let at = random.below(list.len());
    let (here, next) = (list[at], list[(at + 1) % list.len()]);
    let (first, ask, last) = if random.percent(70) { (here, "after", next) } else { (next, "before", here) };
    Question {
        ask: format!("Which {word} comes {ask} {first}?"),
        short: last.to_owned(),
        sentence: format!("{last} comes {ask} {first}."),
        json: None,
    }
}

fn age(facts: &Facts, random: &mut Random) -> Question {
    let girl = random.percent(50);
    let name = facts.child(girl, random);
    let years = random.between(2, 12);
    Question {
        ask: format!("{name} is {years} years old. How old is {name}?"),
        short: years.to_string(),
        sentence: format!("{name} is {years} years old."),
        json: Some(format!(r#"{{"name": "{name}", "age": {years}}}"#)),
    }
}

fn small(random: &mut Random) -> Question {
    let (a, b) = (random.between(1, 9), random.between(1, 9));
    Question {
        ask: format!("What is {a} + {b}?"),
        short: (a + b).to_string(),
        sentence: format!("The answer is {}.", a + b),
        json: None,
    }
}

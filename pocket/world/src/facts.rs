//! The facts of the world, read from its data files.

use crate::random::Random;

/// A country and its capital.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capital {
    /// The country's English name, without an article.
    pub country: &'static str,
    /// Its capital, in plain ASCII.
    pub capital: &'static str,
    /// True when no document tells the capital.
    pub held_out: bool,
    pub(crate) continent: &'static str,
    pub(crate) adjective: &'static str,
}

/// An animal and what is said of it.
#[derive(Debug)]
pub(crate) struct Animal {
    pub name: &'static str,
    pub plural: &'static str,
    /// The noise it makes, if it is known for one.
    pub sound: Option<&'static str>,
    pub young: &'static str,
    pub food: &'static str,
    pub legs: usize,
    /// Where it lives, with its preposition.
    pub home: &'static str,
}

/// A thing and its colour.
#[derive(Debug)]
pub(crate) struct Coloured {
    /// With its article, where it needs one.
    pub thing: &'static str,
    pub colour: &'static str,
}

/// Everything that is true, or at least has a name.
#[derive(Debug)]
pub(crate) struct Facts {
    pub capitals: Vec<Capital>,
    pub animals: Vec<Animal>,
    pub colours: Vec<Coloured>,
    pub opposites: Vec<(&'static str, &'static str)>,
    pub pets: Vec<(&'static str, Vec<&'static str>)>,
    /// Places as somewhere to go and somewhere to be: `the park`, `in the park`.
    pub places: Vec<(&'static str, &'static str)>,
    words: Vec<(&'static str, Vec<&'static str>)>,
}

impl Facts {
    /// Reads the data files that are part of this crate. A line with a column missing is left out.
    pub fn new() -> Facts {
        let names = rows(include_str!("../data/names.tsv")).map(|row| (row, ' '));
        let words = rows(include_str!("../data/words.tsv")).map(|row| (row, ','));
        Facts {
            capitals: rows(include_str!("../data/countries.tsv")).filter_map(|row| capital(&row)).collect(),
            animals: rows(include_str!("../data/animals.tsv")).filter_map(|row| animal(&row)).collect(),
            colours: pairs(include_str!("../data/colours.tsv"))
                .map(|(thing, colour)| Coloured { thing, colour })
                .collect(),
            opposites: pairs(include_str!("../data/opposites.tsv")).collect(),
            pets: pairs(include_str!("../data/pets.tsv"))
                .map(|(kind, furs)| (kind, furs.split(' ').collect()))
                .collect(),
            places: pairs(include_str!("../data/places.tsv")).collect(),
            words: names
                .chain(words)
                .filter_map(|(row, mark)| Some((*row.first()?, row.get(1)?.split(mark).collect())))
                .collect(),
        }
    }

    /// A girl's or a boy's name.
    pub fn child(&self, girl: bool, random: &mut Random) -> &'static str {
        random.word(self.words(if girl { "girls" } else { "boys" }))
    }

    /// A named list of words; the data files have every name that the code asks for, which the tests check.
    pub fn words(&self, name: &str) -> &[&'static str] {
        self.words.iter().find(|(key, _)| *key == name).map_or(&["thing"], |(_, list)| list)
    }
}

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().map(|line| line.split('\t').collect())
}

fn pairs(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.lines().filter_map(|line| line.split_once('\t'))
}

fn capital(row: &[&'static str]) -> Option<Capital> {
    let [country, capital, continent, adjective, state] = *row else { return None };
    Some(Capital { country, capital, continent, adjective, held_out: state == "held-out" })
}

fn animal(row: &[&'static str]) -> Option<Animal> {
    let [name, plural, sound, young, food, legs, home] = *row else { return None };
    let sound = (sound != "-").then_some(sound);
    Some(Animal { name, plural, sound, young, food, legs: legs.parse().ok()?, home })
}

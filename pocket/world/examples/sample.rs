//! Shows what the world writes: `--kind story --count 5` for samples, `--table` for the shares; `--from N` begins at document N.

use std::io::Write;

use small_world::{Document, Kind, Part, Split, World};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| arguments.iter().position(|word| word == name).and_then(|at| arguments.get(at + 1));
    let world = World::new();
    let from = value("--from").and_then(|word| word.parse().ok()).unwrap_or(0);
    if arguments.iter().any(|word| word == "--table") {
        table(&world, from);
        return;
    }
    let kind = value("--kind");
    let count = value("--count").and_then(|word| word.parse().ok()).unwrap_or(5);
    let documents = (from..).map(|index| world.document(Split::Train, index));
    let fitting = documents.filter(|document| kind.is_none_or(|kind| document.kind.name() == kind));
    for document in fitting.take(count) {
        // A reader like `head` may have seen enough.
        if writeln!(std::io::stdout(), "[{}]\n{}\n", document.kind.name(), document.text()).is_err() {
            return;
        }
    }
}

/// Characters of text, without control tokens.
fn characters(document: &Document) -> usize {
    document.parts.iter().map(|part| if let Part::Text(text) = part { text.len() } else { 0 }).sum()
}

/// Tokens in hundredths: 4 characters each in prose, 1.5 in sums and spelled words, and the control tokens.
fn tokens(document: &Document) -> usize {
    let controls = document.parts.iter().filter(|part| matches!(part, Part::Control(_))).count();
    let length = characters(document);
    let text = match document.kind {
        Kind::SumBare | Kind::SumSteps | Kind::WordBare | Kind::WordSteps => length * 200 / 3,
        _ => length * 100 / 4,
    };
    text + controls * 100
}

fn table(world: &World, from: u64) {
    let documents: Vec<Document> = (from..from + 100_000).map(|index| world.document(Split::Train, index)).collect();
    let total: usize = documents.iter().map(tokens).sum();
    println!("{:12} {:>9} {:>10} {:>8} {:>8} {:>8}", "kind", "documents", "share %", "mean", "longest", "> 900");
    for kind in Kind::ALL {
        let of_kind: Vec<&Document> = documents.iter().filter(|document| document.kind == kind).collect();
        let lengths: Vec<usize> = of_kind.iter().map(|document| characters(document)).collect();
        let share = of_kind.iter().map(|document| tokens(document)).sum::<usize>() * 1000 / total;
        let mean = lengths.iter().sum::<usize>() / lengths.len().max(1);
        let longest = lengths.iter().max().copied().unwrap_or(0);
        let long = lengths.iter().filter(|length| **length > 900).count();
        let share = format!("{}.{}", share / 10, share % 10);
        println!("{:12} {:>9} {share:>10} {mean:>8} {longest:>8} {long:>8}", kind.name(), of_kind.len());
    }
    println!("{} tokens in {} documents, as estimated", total / 100, documents.len());
}

//! What the project promises of the pocket model. A file that breaks one isn't shipped.

use crate::exam::Report;
use crate::parts::capitals::UNSURE;
use crate::statistics::Share;

/// The promises that the figures break, in words; a part that wasn't measured promises nothing.
pub fn broken(report: &Report) -> Vec<String> {
    let mut broken = Vec::new();
    let mut promise = |kept: bool, what: String| {
        if !kept {
            broken.push(what);
        }
    };
    if let Some(part) = &report.capitals {
        promise(percent(&part.whole) >= 95.0, format!("capitals said whole: {:.1} %, not 95", percent(&part.whole)));
        let sure = Share::new(part.known.iter().filter(|c| c.whole && c.p > UNSURE).count(), part.known.len());
        promise(percent(&sure) >= 95.0, format!("capitals above {UNSURE}: {:.1} %, not 95", percent(&sure)));
        let one = Share::count(part.known.iter().map(|c| c.tokens == 1));
        let france = part.known.iter().find(|c| c.country == "France");
        let (p, tokens) = france.map_or((0.0, 0), |c| (c.p, c.tokens));
        promise(p > UNSURE && tokens == 1, format!("P(Paris) is {p} in {tokens} tokens, not above {UNSURE} in one"));
        promise(percent(&one) >= 80.0, format!("capitals of one token: {:.1} %, not 80", percent(&one)));
    }
    if let Some(part) = &report.thinking {
        let (bare, steps) = (percent(&part.sums.bare.right), percent(&part.sums.steps.right));
        promise(steps >= 90.0, format!("sums in steps: {steps:.1} % right, not 90"));
        promise(steps >= bare + 40.0, format!("steps win {:.1} points over sums at once, not 40", steps - bare));
    }
    if let Some(part) = &report.loops {
        let loops = part.qualified().count();
        promise(loops >= 3, format!("{loops} prompts loop greedily and not at temperature 0.8, not 3"));
    }
    if let Some(part) = &report.stories {
        for story in part.stories.iter().filter(|story| !story.holds()) {
            let (strangers, colours) = (&story.strangers, &story.two_colours);
            let what =
                format!("{} sentences, not introduced: {strangers:?}, of two colours: {colours:?}", story.sentences);
            promise(false, format!("the story of seed {}: {what}", story.seed));
        }
    }
    if let Some(part) = &report.few_shot {
        promise(percent(&part.goes_on) >= 95.0, format!("dialogues go on: {:.1} %, not 95", percent(&part.goes_on)));
        promise(
            percent(&part.stops) >= 95.0,
            format!("dialogues end at the stop: {:.1} %, not 95", percent(&part.stops)),
        );
    }
    if let Some(begun) = report.json.as_ref().and_then(|part| part.begun.first()) {
        promise(
            percent(&begun.parses) >= 95.0,
            format!("JSON begun with `{{` parses: {:.1} %, not 95", percent(&begun.parses)),
        );
    }
    broken
}

fn percent(share: &Share) -> f64 {
    share.right as f64 * 100.0 / (share.of as f64).max(1.0)
}

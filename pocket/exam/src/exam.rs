//! The exam as a whole: which parts, of which file.

use serde::Serialize;
use small_world::{World, sha256};

use crate::error::Result;
use crate::parts::Part;
use crate::parts::capitals::{self, Capitals};
use crate::parts::few_shot::{self, FewShot};
use crate::parts::json::{self, Json};
use crate::parts::loops::{self, Loops};
use crate::parts::perplexity::{self, Perplexity};
use crate::parts::stories::{self, Stories};
use crate::parts::thinking::{self, Thinking};
use crate::subject::Subject;
use crate::workers::Workers;

/// All figures; a part that wasn't asked for is missing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub file: File,
    pub capitals: Option<Capitals>,
    pub thinking: Option<Thinking>,
    pub loops: Option<Loops>,
    pub stories: Option<Stories>,
    pub few_shot: Option<FewShot>,
    pub json: Option<Json>,
    pub perplexity: Option<Perplexity>,
}

/// What was examined.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct File {
    pub name: String,
    pub sha256: String,
    pub bytes: usize,
    pub parameters: u64,
    pub layers: usize,
    pub vocabulary: usize,
    pub context: usize,
}

impl File {
    fn read(file: &[u8]) -> Result<File> {
        let subject = Subject::load(file)?;
        let info = &subject.engine().info;
        Ok(File {
            name: info.model.clone(),
            sha256: sha256(file),
            bytes: file.len(),
            parameters: info.parameters,
            layers: info.layers,
            vocabulary: info.vocabulary,
            context: info.context,
        })
    }
}

/// Takes a file through the parts asked for. `begin` hears of each before it begins.
pub fn examine(workers: &Workers, parts: &[Part], mut begin: impl FnMut(Part)) -> Result<Report> {
    let world = World::new();
    let mut report = Report {
        file: File::read(workers.file)?,
        capitals: None,
        thinking: None,
        loops: None,
        stories: None,
        few_shot: None,
        json: None,
        perplexity: None,
    };
    for part in parts {
        begin(*part);
        match part {
            Part::Capitals => report.capitals = Some(capitals::measure(workers, &world)?),
            Part::Thinking => report.thinking = Some(thinking::measure(workers, &world)?),
            Part::Loops => report.loops = Some(loops::measure(workers)?),
            Part::Stories => report.stories = Some(stories::measure(workers, &world)?),
            Part::FewShot => report.few_shot = Some(few_shot::measure(workers, &world)?),
            Part::Json => report.json = Some(json::measure(workers, &world)?),
            Part::Perplexity => report.perplexity = Some(perplexity::measure(workers, &world)?),
        }
    }
    Ok(report)
}

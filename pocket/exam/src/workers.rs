//! The same work on many items, on several threads. Each thread loads an engine of its own: a run and its
//! engine stay on one thread, and the file is small. The order of the results is that of the items, so that
//! the number of threads changes nothing but the time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::{Error, Result};
use crate::subject::Subject;

/// A model file and the threads that examine it.
#[derive(Clone, Copy)]
pub struct Workers<'a> {
    pub file: &'a [u8],
    pub threads: usize,
}

impl Workers<'_> {
    /// `work` of every item, in their order. The first error, by the order of the items, ends it.
    pub fn map<I: Sync, O: Send>(
        &self,
        items: &[I],
        work: impl Fn(&Subject, &I) -> Result<O> + Sync,
    ) -> Result<Vec<O>> {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, Result<O>)>> = Mutex::new(Vec::with_capacity(items.len()));
        let examine = || -> Result<()> {
            let subject = Subject::load(self.file)?;
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(at) else { return Ok(()) };
                let result = work(&subject, item);
                let failed = result.is_err();
                done.lock().map_err(|_| Error::Worker)?.push((at, result));
                if failed {
                    return Ok(());
                }
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..self.threads.clamp(1, items.len().max(1))).map(|_| scope.spawn(examine)).collect();
            threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Err(Error::Worker)))
        })?;
        let mut done = done.into_inner().map_err(|_| Error::Worker)?;
        done.sort_by_key(|(at, _)| *at);
        let results: Vec<O> = done.into_iter().map(|(_, result)| result).collect::<Result<_>>()?;
        if results.len() == items.len() { Ok(results) } else { Err(Error::Worker) }
    }
}

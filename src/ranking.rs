//! Token ids by falling score, sorted only as far as someone asks: a vocabulary has tens of
//! thousands of entries, a step usually needs the first dozen.

use std::cmp::Ordering;

#[derive(Debug, Clone)]
pub struct Ranking {
    scores: Vec<f32>,
    /// A permutation of the ids; the first `sorted` are in their final places.
    order: Vec<u32>,
    sorted: usize,
    /// Boundaries behind `sorted`: everything before ranks above everything after.
    partitions: Vec<usize>,
}

impl Ranking {
    /// `scores`: no NaN among them.
    pub fn new(scores: Vec<f32>) -> Self {
        let order = (0..scores.len() as u32).collect();
        Ranking { scores, order, sorted: 0, partitions: Vec::new() }
    }

    /// Ids; in their order as far as it was asked for.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Puts the `n` best ids in front, in any order among those not sorted yet.
    pub fn partition(&mut self, n: usize) -> &[u32] {
        let n = n.min(self.order.len());
        if n > self.sorted && n < self.order.len() && !self.partitions.contains(&n) {
            // Only the stretch between the nearest boundaries can change.
            let low = self.partitions.iter().copied().filter(|b| *b < n).max().unwrap_or(0).max(self.sorted);
            let high = self.partitions.iter().copied().filter(|b| *b > n).min().unwrap_or(self.order.len());
            let (scores, stretch) = (&self.scores, &mut self.order[low..high]);
            if n - low <= FEW {
                select_few(scores, stretch, n - low);
            } else {
                stretch.select_nth_unstable_by(n - low, |a, b| compare(scores, *a, *b));
            }
            self.partitions.push(n);
        }
        &self.order[..n]
    }

    /// Sorts at least the first `n`.
    pub fn sort_first(&mut self, n: usize) {
        let n = n.min(self.order.len());
        if n <= self.sorted {
            return;
        }
        self.partition(n);
        let scores = &self.scores;
        self.order[self.sorted..n].sort_unstable_by(|a, b| compare(scores, *a, *b));
        self.sorted = n;
        self.partitions.retain(|b| *b > n);
    }

    pub fn id_at(&mut self, rank: usize) -> u32 {
        if rank >= self.sorted {
            // Doubling keeps a walk over all ranks at a few passes.
            self.sort_first((rank + 1).max(2 * self.sorted).max(64));
        }
        self.order[rank]
    }

    pub fn rank_of(&mut self, id: u32) -> usize {
        let scores = &self.scores;
        (0..scores.len() as u32).filter(|other| compare(scores, *other, id) == Ordering::Less).count()
    }
}

/// Up to this many, one pass that looks at each entry once is faster than a selection.
const FEW: usize = 64;

/// Puts the `n` best ids in front: whatever beats the worst in front takes its place.
fn select_few(scores: &[f32], ids: &mut [u32], n: usize) {
    let (front, rest) = ids.split_at_mut(n);
    let worst_of = |front: &[u32]| (0..n).max_by(|a, b| compare(scores, front[*a], front[*b]));
    let Some(mut worst) = worst_of(front) else { return };
    for id in rest {
        if compare(scores, *id, front[worst]) == Ordering::Less {
            std::mem::swap(id, &mut front[worst]);
            worst = worst_of(front).unwrap_or(worst);
        }
    }
}

/// Falling scores, then rising ids.
fn compare(scores: &[f32], a: u32, b: u32) -> Ordering {
    let (x, y) = (scores[a as usize], scores[b as usize]);
    y.partial_cmp(&x).unwrap_or(Ordering::Equal).then(a.cmp(&b))
}

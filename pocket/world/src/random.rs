//! Chance without the platform: the same seed gives the same text everywhere, so a corpus is named by a number.

/// `SplitMix64`: small, fast, and good enough to choose words with.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

/// Scrambles a number so that neighbours have nothing in common.
pub fn mix(number: u64) -> u64 {
    let mut bits = number;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl Random {
    /// A stream of its own for this seed.
    pub fn new(seed: u64) -> Random {
        Random { state: mix(seed ^ 0x005e_ed0f_ac0f_fee5) }
    }

    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// A whole number from 0 up to, and without, `end`; 0 for an empty range.
    pub fn below(&mut self, end: usize) -> usize {
        let wide = u128::from(self.next()) * (end as u128);
        (wide >> 64) as usize
    }

    /// A whole number from `first` to `last`, both included.
    pub fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last + 1 - first)
    }

    /// True `percent` times in a hundred.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of a non-empty list.
    pub fn pick<'list, Item>(&mut self, list: &'list [Item]) -> &'list Item {
        &list[self.below(list.len())]
    }

    /// One of a non-empty list of words.
    pub fn word<'text>(&mut self, list: &[&'text str]) -> &'text str {
        list[self.below(list.len())]
    }

    /// Up to `count` different items of the list, in random order.
    pub fn pick_some<'list, Item>(&mut self, list: &'list [Item], count: usize) -> Vec<&'list Item> {
        let mut left: Vec<&Item> = list.iter().collect();
        let mut chosen = Vec::with_capacity(count);
        while chosen.len() < count && !left.is_empty() {
            chosen.push(left.swap_remove(self.below(left.len())));
        }
        chosen
    }

    /// How often a thing is done when it stops with a chance of 1 in 8 after each time: at least 1.
    ///
    /// The limit is far out, so that no position tells a reader that the end must come now.
    pub fn repeats(&mut self) -> usize {
        let mut count = 1;
        while count < 80 && self.below(8) != 0 {
            count += 1;
        }
        count
    }
}

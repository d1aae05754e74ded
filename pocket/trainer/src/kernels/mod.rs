//! The parts of the network that are slow as chains of small tensor operations, as one loop each,
//! with their gradients. Plain slices, all cores; rows are tokens.

pub mod attention;
pub mod loss;
pub mod matmul;
pub mod norm;
pub mod swiglu;

/// Rows that one task takes.
const ROWS: usize = 64;

/// eˣ within 2 units in the last place, cut at e⁻⁸⁷ and e⁸⁸; written so that the compiler uses vectors.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // eˣ = 2ⁿ · eʳ with n whole and |r| ≤ ln 2 / 2. Adding 1.5 · 2²³ rounds to a whole number.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
    let p = 1.987_569_1e-4f32;
    let p = p * r + 1.398_199_9e-3;
    let p = p * r + 8.333_452e-3;
    let p = p * r + 4.166_579_6e-2;
    let p = p * r + 1.666_666_5e-1;
    let p = p * r + 0.5;
    let y = p * r * r + r + 1.0;
    let power = f32::from_bits(((shifted.to_bits() as i32) << 23).wrapping_add(127 << 23) as u32);
    y * power
}

#[cfg(test)]
mod tests {
    #[test]
    fn exp_is_right() {
        for i in -8600..=880 {
            let x = i as f32 / 100.0;
            let (got, want) = (f64::from(super::exp(x)), f64::from(x).exp());
            assert!((got / want - 1.0).abs() < 3e-7, "{x}: {got} against {want}");
        }
        assert_eq!((super::exp(200.0), super::exp(-200.0)), (super::exp(88.0), super::exp(-87.0)));
        assert!(super::exp(f32::NAN).is_nan());
        assert!(super::swiglu::forward(&[-100.0, 3.0], 1)[0].abs() < 1e-30);
    }
}

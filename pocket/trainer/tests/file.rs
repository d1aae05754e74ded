//! What is written: blocks of quantised weights, and the picture of the loss.

use half::f16;
use pocket_trainer::curve::svg;
use pocket_trainer::quantise::Precision;
use pocket_trainer::random::Random;
use pocket_trainer::train::Point;

fn half_at(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

#[test]
fn quantised_weights_are_off_by_half_a_step_at_most() {
    let mut random = Random::new(5);
    for size in [0.01f32, 0.1, 1.0, 300.0] {
        for _ in 0..50 {
            let values: Vec<f32> = (0..64).map(|_| random.normal() * size).collect();
            let bytes = Precision::Q8_0.bytes(&values);
            assert_eq!(bytes.len(), 2 * 34);
            for (block, values) in bytes.chunks(34).zip(values.chunks(32)) {
                let scale = half_at(block, 0);
                for (q, x) in block[2..].iter().zip(values) {
                    // The scale is rounded to 16 bits, so the largest weight may be cut by a little more.
                    assert!((scale * f32::from(*q as i8) - x).abs() <= scale * 0.5 + x.abs() / 1000.0);
                }
            }
            let bytes = Precision::Q4_1.bytes(&values);
            assert_eq!(bytes.len(), 2 * 20);
            for (block, values) in bytes.chunks(20).zip(values.chunks(32)) {
                let (scale, minimum) = (half_at(block, 0), half_at(block, 2));
                for (i, x) in values.iter().enumerate() {
                    let byte = block[4 + i % 16];
                    let q = if i < 16 { byte & 15 } else { byte >> 4 };
                    let got = minimum + scale * f32::from(q);
                    assert!((got - x).abs() <= scale * 0.5 + minimum.abs() / 500.0 + x.abs() / 500.0);
                }
            }
        }
    }
    assert_eq!(Precision::Q8_0.bytes(&[0.0; 32]), [0; 34]);
    assert_eq!(Precision::F32.bytes(&[1.0]), 1.0f32.to_le_bytes());
}

#[test]
fn the_curve_has_every_point_inside_the_picture() {
    let point = |step: u64, train: f32, held: f32| Point { step, tokens: step * 4096, train, held };
    let picture = svg(&[point(100, 7.5, 4.0), point(200, 2.0, 1.5), point(300, 0.6, 0.7)]);
    let paths: Vec<&str> = picture.split(" d=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(paths.len(), 2);
    for path in paths {
        let numbers: Vec<f64> = path.split([' ', 'M', 'L']).filter_map(|n| n.parse().ok()).collect();
        assert_eq!(numbers.len(), 6);
        assert!(numbers.chunks(2).all(|p| (0.0..=720.0).contains(&p[0]) && (0.0..=360.0).contains(&p[1])));
        assert!(numbers[1] < numbers[3] && numbers[3] < numbers[5], "a falling loss falls: {numbers:?}");
    }
    // Nothing measured yet is a picture, too.
    assert!(svg(&[]).ends_with("</svg>\n"));
}

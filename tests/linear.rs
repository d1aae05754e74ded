//! The packed product, held to the weights written out one by one.

use burn::tensor::{Device, Tensor, TensorData};
use half::f16;
use next_token::gguf::{BLOCK, TensorInfo, TensorType};
use next_token::linear::{Kind, Linear, Matrix, Packed, Shape, reference};
use proptest::prelude::*;

/// Finite f16 bits, subnormal and negative ones too, not so large that sums overflow.
fn scale() -> impl Strategy<Value = u16> {
    (0u16..0x5800, any::<bool>()).prop_map(|(bits, negative)| bits | u16::from(negative) << 15)
}

fn matrix() -> impl Strategy<Value = (Packed, Vec<f32>)> {
    (any::<bool>(), 1usize..20, 1usize..7, 1usize..6).prop_flat_map(|(four, rows, blocks, t)| {
        let (kind, cols) = (if four { Kind::Q4 } else { Kind::Q8 }, blocks * BLOCK);
        (
            prop::collection::vec(any::<u32>(), rows * blocks * kind.words()),
            prop::collection::vec((scale(), scale()), rows * blocks),
            prop::collection::vec(-4.0f32..4.0, t * cols),
        )
            .prop_map(move |(words, scales, x)| {
                let minimum = |m: u16| if four { u32::from(m) << 16 } else { 0 };
                let scales = scales.into_iter().map(|(d, m)| u32::from(d) | minimum(m)).collect();
                (Packed { kind, rows, cols, words, scales }, x)
            })
    })
}

/// Weight (row, col) by the table in `pack`'s documentation, in f64.
fn weight(p: &Packed, row: usize, col: usize) -> f64 {
    let (block, at) = (row * p.cols / BLOCK + col / BLOCK, col % BLOCK);
    let half = |bits: u32| f64::from(f16::from_bits(bits as u16).to_f32());
    let (d, m) = (half(p.scales[block] & 0xffff), half(p.scales[block] >> 16));
    let byte = |i: usize| (p.words[block * p.kind.words() + i / 4] >> (8 * (i % 4))) as u8;
    match p.kind {
        Kind::Q4 if at < 16 => d * f64::from(byte(at) & 15) + m,
        Kind::Q4 => d * f64::from(byte(at - 16) >> 4) + m,
        Kind::Q8 => d * f64::from(byte(at) as i8),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_reference_is_the_sum_of_products((p, x) in matrix()) {
        let shape = Shape { kind: p.kind, rows: p.rows, cols: p.cols };
        let found = reference::multiply(&x, &p.words, &p.scales, shape);
        let (rows, cols, t) = (p.rows, p.cols, x.len() / p.cols);
        let mut largest = 0.0f64;
        let mut size = f64::MIN_POSITIVE;
        for i in 0..t {
            for row in 0..rows {
                let products = (0..cols).map(|col| weight(&p, row, col) * f64::from(x[i * cols + col]));
                let (sum, absolute) = products.fold((0.0, 0.0), |(s, a), p| (s + p, a + p.abs()));
                largest = largest.max((sum - f64::from(found[i * rows + row])).abs());
                size = size.max(absolute);
            }
        }
        prop_assert!(largest <= 1e-6 * size, "{largest} of {size}");
        // The same through burn.
        let linear = Linear::stack(vec![Matrix::Packed(p)], &Device::flex());
        let x = Tensor::from_data(TensorData::new(x, [t, cols]), &Device::flex());
        let through_burn = linear.forward(x).into_data().try_to_vec::<f32>().expect("floats");
        prop_assert_eq!(through_burn, found);
    }
}

fn info(kind: TensorType, rows: usize, cols: usize) -> TensorInfo {
    let (values, bytes) = kind.block();
    let bytes = (rows * cols / values * bytes) as u64;
    TensorInfo { name: "t".into(), cols, rows, kind, offset: 0, bytes }
}

#[test]
fn matrices_of_several_types_stand_side_by_side() {
    let mut all = Vec::new();
    let mut matrices = Vec::new();
    for (kind, rows) in [
        (TensorType::Q4_1, 3),
        (TensorType::Q4_0, 2),
        (TensorType::Q8_0, 5),
        (TensorType::F16, 2),
        (TensorType::F32, 1),
        (TensorType::Q8_0, 4),
    ] {
        let info = info(kind, rows, 64);
        // Bytes below 0x38 keep every f16 and f32 finite.
        let bytes: Vec<u8> = (0..info.bytes).map(|i| (i * 37 % 0x38) as u8).collect();
        let matrix = Matrix::read(&info, &bytes).expect("is read");
        for row in 0..rows {
            let mut values = Vec::new();
            matrix.push_row(row, &mut values);
            all.push(values);
        }
        matrices.push(matrix);
    }
    let linear = Linear::stack(matrices, &Device::flex());
    let x: Vec<f32> = (0..64).map(|i| (i as f32 - 30.0) / 16.0).collect();
    let out = linear.forward(Tensor::from_data(TensorData::new(x.clone(), [1, 64]), &Device::flex()));
    let out = out.into_data().try_to_vec::<f32>().expect("floats");
    assert_eq!(out.len(), 17);
    for (row, values) in all.iter().enumerate() {
        let sum: f64 = values.iter().zip(&x).map(|(w, x)| f64::from(*w) * f64::from(*x)).sum();
        let size: f64 = values.iter().zip(&x).map(|(w, x)| f64::from((w * x).abs())).sum();
        assert!((f64::from(out[row]) - sum).abs() <= 1e-6 * size, "row {row}");
    }
}

#[test]
fn q4_0_is_q4_1_with_a_minimum_of_minus_eight_scales() {
    for bits in (0..0x6400u16).step_by(7) {
        let d = f16::from_bits(bits);
        let mut bytes = d.to_le_bytes().to_vec();
        bytes.extend((0..16u8).map(|i| i | (15 - i) << 4));
        let mut values = Vec::new();
        Matrix::read(&info(TensorType::Q4_0, 1, 32), &bytes).expect("is read").push_row(0, &mut values);
        for (i, value) in values.iter().enumerate() {
            let q = if i < 16 { i as f32 } else { 31.0 - i as f32 };
            let expected = d.to_f32() * (q - 8.0);
            assert!((value - expected).abs() <= f32::EPSILON * expected.abs().max(8.0 * d.to_f32()), "d = {d}");
        }
    }
}

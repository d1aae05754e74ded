//! The loss curve as a picture (SVG).

use std::fmt::Write;

use crate::train::Point;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
/// Room for labels: left, top, right, bottom.
const LEFT: f64 = 64.0;
const TOP: f64 = 44.0;
const RIGHT: f64 = 16.0;
const BOTTOM: f64 = 48.0;
/// Nats at the marks of the logarithmic axis.
const MARKS: [f64; 6] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0];

/// Loss against tokens; the loss's axis is logarithmic.
pub fn svg(points: &[Point]) -> String {
    let losses = || points.iter().flat_map(|p| [f64::from(p.train), f64::from(p.held)]).filter(|l| *l > 0.0);
    let low = losses().fold(f64::MAX, f64::min).clamp(0.01, 8.0) / 1.1;
    let high = losses().fold(low * 2.0, f64::max) * 1.1;
    let most = points.iter().map(|p| p.tokens).max().unwrap_or(0).max(1) as f64;
    let x = |tokens: f64| LEFT + tokens / most * (WIDTH - LEFT - RIGHT);
    let y = |loss: f64| TOP + (high / loss.max(low)).ln() / (high / low).ln() * (HEIGHT - TOP - BOTTOM);

    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
         <title>Loss of the pocket model while it learned</title>\n\
         <style>.i{{fill:#24292f}}.g{{stroke:#c8ccd2}}.t{{stroke:#8250df}}.h{{stroke:#b35900}}\
         .tf{{fill:#8250df}}.hf{{fill:#b35900}}.b{{fill:#fff}}path{{fill:none;stroke-width:2}}\
         @media(prefers-color-scheme:dark){{.i{{fill:#e6edf3}}.g{{stroke:#3d444d}}.t{{stroke:#c297ff}}\
         .h{{stroke:#ffb066}}.tf{{fill:#c297ff}}.hf{{fill:#ffb066}}.b{{fill:#0d1117}}}}</style>\n\
         <rect class=\"b\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>"
    );
    for mark in MARKS.into_iter().filter(|m| (low..=high).contains(m)) {
        let at = y(mark);
        let _ = writeln!(
            out,
            "<line class=\"g\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"i\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{mark}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }
    for quarter in 0..=4 {
        let tokens = most * f64::from(quarter) / 4.0;
        let _ = writeln!(
            out,
            "<text class=\"i\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{:.1}</text>",
            x(tokens).min(WIDTH - RIGHT - 12.0),
            HEIGHT - BOTTOM + 20.0,
            tokens / 1e6
        );
    }
    let path = |loss: fn(&Point) -> f32| {
        let place = |(i, p): (usize, &Point)| {
            let start = if i == 0 { 'M' } else { 'L' };
            format!("{start}{:.1} {:.1}", x(p.tokens as f64), y(f64::from(loss(p))))
        };
        points.iter().enumerate().map(place).collect::<Vec<_>>().join(" ")
    };
    let _ = writeln!(
        out,
        "<path class=\"t\" d=\"{}\"/>\n<path class=\"h\" d=\"{}\"/>\n\
         <text class=\"i\" x=\"{LEFT}\" y=\"20\">Loss in nats a token (logarithmic): \
         <tspan class=\"tf\">training</tspan>, <tspan class=\"hf\">held-out stream</tspan></text>\n\
         <text class=\"i\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">million tokens learned from</text>\n</svg>",
        path(|p| p.train),
        path(|p| p.held),
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 8.0
    );
    out
}

//! Markdown that shows any text as it is: tables, code spans, quotations.

/// A table whose columns are as wide as their widest cell. The first row is the head.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |row: &[String], at: usize| row.get(at).map_or(String::new(), |text| text.replace('|', "\\|"));
    let wide = |at: usize| rows.iter().map(|row| cell(row, at).chars().count()).max().unwrap_or(0).max(3);
    let widths: Vec<usize> = (0..columns).map(wide).collect();
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        let cells: Vec<String> = widths.iter().enumerate().map(|(i, w)| format!("{:w$}", cell(row, i))).collect();
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
        if at == 0 {
            let rule: Vec<String> = widths.iter().map(|w| "-".repeat(*w)).collect();
            text.push_str(&format!("| {} |\n", rule.join(" | ")));
        }
    }
    text
}

/// A row of a table.
pub fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_string).to_vec()
}

/// Text in a line, line ends as `↵`.
pub fn code(text: &str) -> String {
    let text = text.replace('\n', "↵");
    let marks = "`".repeat(longest(&text, '`') + 1);
    // A space inside keeps a mark of the text's own apart.
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{marks}{space}{text}{space}{marks}")
}

/// Text of several lines.
pub fn block(text: &str) -> String {
    let marks = "`".repeat(longest(text, '`').max(2) + 1);
    format!("{marks}text\n{}\n{marks}\n", text.trim_end_matches('\n'))
}

/// The longest row of one character.
fn longest(text: &str, mark: char) -> usize {
    text.split(|c| c != mark).map(str::len).max().unwrap_or(0)
}

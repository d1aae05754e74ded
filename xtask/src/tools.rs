//! Running other programs, and where things are.

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The checkout.
pub fn root() -> PathBuf {
    // Asked at run time, so that a moved checkout or a shared target directory can't name another.
    match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(xtask) => Path::new(&xtask).join(".."),
        None => PathBuf::from("."),
    }
    .canonicalize()
    .expect("the checkout exists")
}

/// Where cargo builds the engine. May lie outside the checkout, to be used by several.
pub fn target_dir() -> PathBuf {
    ["NEXT_TOKEN_TARGET_DIR", "CARGO_TARGET_DIR"]
        .iter()
        .find_map(std::env::var_os)
        .filter(|directory| !directory.is_empty())
        .map_or_else(|| root().join("target"), |directory| root().join(directory))
}

/// cargo in the checkout, building into `target_dir()`.
pub fn cargo<const N: usize>(args: [&str; N]) -> Command {
    let mut command = program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).env("CARGO_TARGET_DIR", target_dir());
    command
}

/// A program run in the checkout.
pub fn program(name: impl Into<OsString>) -> Command {
    let mut command = Command::new(name.into());
    command.current_dir(root());
    command
}

/// Prints what runs, runs it, and fails if it does. `hint` says what to do if it isn't there.
pub fn run(command: &mut Command, hint: &str) -> Result<()> {
    let line = describe(command);
    println!("$ {line}");
    let status = command.status().with_context(|| format!("`{line}` can't be run. {hint}"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

fn describe(command: &Command) -> String {
    let name = Path::new(command.get_program());
    let name = name.file_name().unwrap_or_default().to_string_lossy();
    let args = command.get_args().map(|arg| arg.to_string_lossy());
    std::iter::once(name).chain(args).collect::<Vec<_>>().join(" ")
}

/// The first of these that is a program on PATH.
pub fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let extension = std::env::consts::EXE_SUFFIX;
    names.iter().find_map(|name| {
        std::env::split_paths(&path).map(|folder| folder.join(format!("{name}{extension}"))).find(|file| file.is_file())
    })
}

pub fn sha256(file: &Path) -> Result<String> {
    let mut hash = Sha256::new();
    let mut source = std::fs::File::open(file)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = source.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        hash.update(&buffer[..count]);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha256_is_that_of_the_standard() {
        let file = std::env::temp_dir().join(format!("next-token-sha-{}", std::process::id()));
        std::fs::write(&file, "abc").unwrap();
        let hash = sha256(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        // FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash, expected);
    }

    #[test]
    fn a_program_that_is_missing_or_fails_is_an_error_that_names_it() {
        let missing = run(&mut program("no-such-program"), "Install it.").unwrap_err();
        assert!(missing.to_string().contains("no-such-program"), "{missing}");
        assert!(missing.to_string().contains("Install it."), "{missing}");
        let failing = run(cargo(["no-such-command"]).arg("--quiet"), "").unwrap_err();
        assert!(failing.to_string().contains("no-such-command"), "{failing}");
    }
}

//! The server over a real socket, with the requests that browsers make.

use super::*;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::OnceLock;

/// One site and one server for all the tests here.
fn server() -> SocketAddr {
    static SERVER: OnceLock<SocketAddr> = OnceLock::new();
    *SERVER.get_or_init(|| {
        let root = folder();
        for (path, content) in [
            ("www/index.html", "<title>ü</title>"),
            ("www/style.css", "a{}"),
            ("www/picture.svg", "<svg/>"),
            ("www/.secret", "no"),
            ("pkg/engine.js", "export {}"),
            ("pkg/part.mjs", "export {}"),
            ("pkg/engine_bg.wasm", "\0asm"),
            ("models/m.gguf", "0123456789"),
            ("outside.txt", "no"),
        ] {
            let file = root.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, content).unwrap();
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let smollm2 = OnDemand::new(&root, Some(|_| bail!("no network")));
        std::thread::spawn(move || serve(&root, listener, smollm2));
        address
    })
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("next-token-serve-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// Status, head and body of a GET.
fn get(path: &str, header: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(server()).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{header}\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head[9..12].parse().unwrap();
    (status, head.to_owned(), body.to_owned())
}

#[test]
fn each_kind_of_file_has_its_mime_type() {
    for (path, kind) in [
        ("/", "text/html; charset=utf-8"),
        ("/style.css", "text/css; charset=utf-8"),
        ("/picture.svg", "image/svg+xml; charset=utf-8"),
        ("/pkg/engine.js", "text/javascript; charset=utf-8"),
        ("/pkg/part.mjs", "text/javascript; charset=utf-8"),
        ("/pkg/engine_bg.wasm", "application/wasm"),
        ("/models/m.gguf", "application/octet-stream"),
    ] {
        let (status, head, _) = get(path, "");
        assert_eq!(status, 200, "{path}");
        assert!(head.contains(&format!("content-type: {kind}\r\n")), "{path}: {head}");
    }
}

#[test]
fn ranges_are_answered_in_part() {
    let (status, head, body) = get("/models/m.gguf", "Range: bytes=2-4\r\n");
    assert_eq!((status, body.as_str()), (206, "234"));
    assert!(head.contains("content-range: bytes 2-4/10"), "{head}");
}

#[test]
fn sources_are_asked_for_again_and_models_are_kept() {
    let (_, head, _) = get("/pkg/engine.js", "");
    assert!(head.contains("cache-control: no-cache"), "{head}");
    let modified = head.lines().find_map(|line| line.strip_prefix("last-modified: ")).unwrap();
    let (status, _, body) = get("/pkg/engine.js", &format!("If-Modified-Since: {modified}\r\n"));
    assert_eq!((status, body.as_str()), (304, ""));
    assert!(get("/models/m.gguf", "").1.contains("cache-control: max-age="));
    // A file that isn't there today may be there tomorrow.
    assert!(get("/models/other.gguf", "").1.contains("cache-control: no-cache"));
}

#[test]
fn what_is_not_of_the_site_is_not_served() {
    for path in ["/nothing", "/.secret", "/../outside.txt", "/%2e%2e/outside.txt", "/pkg/..%2foutside.txt"] {
        let (status, _, body) = get(path, "");
        assert!(status == 404 || status == 400, "{path}: {status}");
        assert!(!body.contains("no\n") && body != "no", "{path}: {body}");
    }
    assert!(get("/pkg/x.js", "").2.contains("cargo xtask start"));
}

#[test]
fn a_model_on_its_way_is_told_in_words_and_so_is_a_failure() {
    let path = format!("/models/{}", model::FILE);
    let (status, head, body) = get(&path, "");
    assert_eq!(status, 202);
    assert!(head.contains("retry-after: 1\r\n") && head.contains("content-type: text/plain"), "{head}");
    assert!(head.contains("cache-control: no-cache"), "{head}");
    assert!(body.contains("is fetching SmolLM2"), "{body}");
    loop {
        let (status, _, body) = get(&path, "");
        if status != 202 {
            assert_eq!((status, body.as_str()), (502, "SmolLM2 can't be fetched: no network"));
            break;
        }
    }
    assert_eq!(get(&path, "").0, 202, "it is tried again");
}

#[test]
fn a_port_that_is_taken_is_named() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let error = listen(Some(port)).unwrap_err().to_string();
    assert!(error.contains(&port.to_string()) && error.contains("--port"), "{error}");
}

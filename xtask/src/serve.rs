//! A static server for this machine only: `/` is `www/`, then `/pkg/` and `/models/`.

use crate::model;
use crate::on_demand::{Answer, OnDemand};
use anyhow::{Context, Result, bail};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use tower_http::services::ServeDir;

pub const DEFAULT_PORT: u16 = 8000;

/// The port asked for, or if none was, the first free one from 8000 on.
pub fn listen(asked: Option<u16>) -> Result<TcpListener> {
    let first = asked.unwrap_or(DEFAULT_PORT);
    let last = asked.unwrap_or(DEFAULT_PORT + 9);
    for port in first..=last {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => {
                if port != first {
                    println!("Port {first} is taken: using {port}.");
                }
                return Ok(listener);
            }
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            Err(error) => return Err(error).with_context(|| format!("port {port} can't be used")),
        }
    }
    match asked {
        Some(port) => bail!("port {port} is taken. End the program that uses it, or choose another with --port."),
        None => bail!("the ports {first} to {last} are taken. Choose another with --port."),
    }
}

/// Serves until the process ends.
pub fn serve(root: &Path, listener: TcpListener, smollm2: OnDemand) -> Result<()> {
    listener.set_nonblocking(true)?;
    let site = site(root, smollm2);
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        axum::serve(listener, site).await.context("the server ended")
    })
}

fn site(root: &Path, smollm2: OnDemand) -> Router {
    // ServeDir knows ranges, Last-Modified and MIME types, and never leaves its folder.
    Router::new()
        .nest_service("/pkg", ServeDir::new(root.join("pkg")))
        .nest_service("/models", ServeDir::new(root.join("models")))
        .fallback_service(ServeDir::new(root.join("www")))
        .layer(from_fn_with_state(Arc::new(smollm2), on_demand))
        .layer(from_fn(headers))
}

/// A file that isn't here yet is answered at once, in words: 202, ask again in a second. A page can
/// show them, which it couldn't do with a request that hangs.
async fn on_demand(State(smollm2): State<Arc<OnDemand>>, request: Request, next: Next) -> Response {
    let asks = request.method() == Method::GET && request.uri().path().strip_prefix("/models/") == Some(model::FILE);
    match if asks { smollm2.ask() } else { Answer::Here } {
        Answer::Here => next.run(request).await,
        Answer::Coming(words) => {
            let mut response = text(StatusCode::ACCEPTED, words);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            response
        }
        Answer::Failed(words) => text(StatusCode::BAD_GATEWAY, words),
    }
}

async fn headers(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let hidden = path.split('/').any(|part| part.starts_with('.'));
    let mut response = if hidden { not_found(&path) } else { next.run(request).await };
    if response.status() == StatusCode::NOT_FOUND {
        response = not_found(&path);
    }
    let found = response.status() == StatusCode::OK || response.status() == StatusCode::PARTIAL_CONTENT;
    let headers = response.headers_mut();
    // Sources change while one works on them: browsers ask each time whether they did. A model
    // is verified by its hash wherever it comes from, so it may be kept.
    let keep = found && path.starts_with("/models/");
    let caching = if keep { "max-age=604800" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if let Some(kind) = kind.and_then(with_charset) {
        headers.insert(header::CONTENT_TYPE, kind);
    }
    response
}

/// The type with its encoding named; None if it is right as it is.
fn with_charset(kind: &str) -> Option<HeaderValue> {
    // The list of types that ServeDir asks gives modules (.mjs) the type of long ago.
    let kind = if kind == "application/javascript" { "text/javascript" } else { kind };
    let text = kind.starts_with("text/") || ["application/json", "image/svg+xml"].contains(&kind);
    if !text || kind.contains("charset") {
        return None;
    }
    HeaderValue::from_str(&format!("{kind}; charset=utf-8")).ok()
}

fn not_found(path: &str) -> Response {
    let mut words = format!("404: there is nothing at {path}\n");
    if path.starts_with("/pkg/") {
        words.push_str("`cargo xtask start` makes pkg/.\n");
    }
    text(StatusCode::NOT_FOUND, words)
}

fn text(status: StatusCode, words: String) -> Response {
    let mut response = Response::new(words.into());
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

#[cfg(test)]
#[path = "serve_tests.rs"]
mod tests;

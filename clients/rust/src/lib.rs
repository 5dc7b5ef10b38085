//! Talks to a Festinger memory server: states facts, asks what is known, and has prompts
//! recollected.
//!
//! ```no_run
//! # async fn example() -> Result<(), festinger_client::Error> {
//! let client = festinger_client::Client::builder("127.0.0.1:7700").project("shop").build()?;
//! let outcome = client.assert("gnommoweb -isa repo").await?;
//! # Ok(())
//! # }
//! ```

mod client;
mod error;
mod stream;

/// The messages of the server.
pub mod api {
    #![allow(missing_docs, clippy::all, rustdoc::all)]
    tonic::include_proto!("festinger.api.v1");
}

pub use client::{Builder, Client};
pub use error::Error;
pub use stream::RecollectStream;
pub use tonic::Code;
pub use tonic::transport::ClientTlsConfig;

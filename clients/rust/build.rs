//! Generates the messages from `proto/`, without a protoc on the machine.

use std::error::Error;

const SERVICES: [&str; 4] = ["concept", "conflict", "line", "memory"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=proto");
    let files = SERVICES.map(|it| format!("festinger/api/v1/{it}_service.proto"));
    let descriptors = protox::compile(files, ["proto"])?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}

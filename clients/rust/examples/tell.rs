//! States two facts that contradict each other and has a prompt recollected.
//!
//!     cargo run --example tell 127.0.0.1:7700

use festinger_client::{Client, Error, api};

#[tokio::main]
async fn main() -> Result<(), Error> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7700".into());
    let client = Client::builder(address).build()?;
    for fact in ["gnommoweb -isa repo", "gnommoweb -isa database"] {
        println!("{fact}: {}", client.assert(fact).await?.verdict().as_str_name());
    }
    let text = "Where does gnommoweb stand?".to_owned();
    let turn = api::Turn { role: api::turn::Role::User.into(), text, ..Default::default() };
    let request = api::RecollectRequest { turns: vec![turn], ..Default::default() };
    println!("{}", client.recollect(request).await?.block);
    Ok(())
}

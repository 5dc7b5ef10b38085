//! Against the server that `FESTINGER_SERVER` names.

use std::env;
use std::sync::Arc;

use festinger_client::api::{self, conflict, outcome::Verdict};
use festinger_client::{Client, Code, RecollectStream};

/// A client of the live server; `None` where none is named, which the caller prints.
fn client() -> Option<Client> {
    let Ok(address) = env::var("FESTINGER_SERVER") else {
        println!("NOT TRIED: FESTINGER_SERVER names no memory server");
        return None;
    };
    let token = env::var("FESTINGER_TOKEN").unwrap_or_default();
    Some(Client::builder(address).token(&token).build().unwrap())
}

fn ask(text: &str) -> api::RecollectRequest {
    let role = api::turn::Role::User.into();
    let turn = api::Turn { role, text: text.to_owned(), ..Default::default() };
    api::RecollectRequest { turns: vec![turn], ..Default::default() }
}

fn streamed(text: &str, tenant: &str) -> api::RecollectStreamRequest {
    let tenant = tenant.to_owned();
    api::RecollectStreamRequest { request: Some(ask(text)), tenant, ..Default::default() }
}

/// A contradiction is an outcome and waits, until it is resolved.
#[tokio::test]
async fn contradiction_waits_until_it_is_resolved() {
    let Some(client) = client() else { return };
    let held = client.assert("rust_tool -isa compiler").await.unwrap();
    assert_eq!(held.verdict(), Verdict::Held);
    let refused = client.assert("rust_tool -isa game").await.unwrap();
    assert_eq!(refused.verdict(), Verdict::Conflicted);
    let page = client.conflicts("").await.unwrap();
    let waiting: Vec<i64> = page.conflicts.iter().map(|it| it.id).collect();
    assert_eq!(waiting, [refused.conflict_id]);
    let decision = conflict::Decision::Update.into();
    let conflict_id = refused.conflict_id;
    let request = api::ResolveRequest { conflict_id, decision, ..Default::default() };
    let settled = client.resolve(request).await.unwrap();
    assert_eq!(settled.state(), conflict::State::Resolved);
    assert_eq!(client.concept("rust_tool").await.unwrap().edges[0].parent, "game");
    client.retract("rust_tool -isa game", "enough").await.unwrap();
    assert!(client.concept("rust_tool").await.unwrap().edges.is_empty());
}

/// What is said is found, and told to a prompt that needs it.
#[tokio::test]
async fn what_is_said_is_told() {
    let Some(client) = client() else { return };
    client.say("The press in Solingen is greased every June by Klinge Wartung.").await.unwrap();
    assert!(!client.search("press greased", 5).await.unwrap().lines.is_empty());
    let answer = client.recollect(ask("Who greases the press in Solingen?")).await.unwrap();
    assert!(!answer.lines.is_empty());
}

async fn concept_told(stream: &RecollectStream, name: String) {
    let request = streamed(&format!("Tell me about {name}."), "");
    let answer = stream.recollect(request).await.unwrap();
    let concepts: Vec<_> = answer.lines.iter().map(|it| it.concept.as_str()).collect();
    assert_eq!(concepts, [name]);
}

/// Answers of a stream find the task that asked.
#[tokio::test]
async fn stream_answers_who_asked() {
    let Some(client) = client() else { return };
    for number in 0..8 {
        client.assert(&format!("crab_{number} -isa shell_{number}")).await.unwrap();
    }
    let stream = Arc::new(client.open_stream().await.unwrap());
    let asking: Vec<_> = (0..64)
        .map(|number| {
            let stream = stream.clone();
            tokio::spawn(async move { concept_told(&stream, format!("crab_{}", number % 8)).await })
        })
        .collect();
    for asked in asking {
        asked.await.unwrap();
    }
}

/// What is wrong with one request of a stream is its answer, and the stream goes on.
#[tokio::test]
async fn stream_outlives_a_bad_request() {
    let Some(client) = client() else { return };
    let stream = client.open_stream().await.unwrap();
    let refused = stream.recollect(streamed("Hello.", "nobody")).await.unwrap_err();
    assert_ne!(refused.reason, "");
    stream.recollect(streamed("Hello.", "")).await.unwrap();
}

/// An error names its reason.
#[tokio::test]
async fn error_names_its_reason() {
    let Some(client) = client() else { return };
    let refused = client.assert("nonsense").await.unwrap_err();
    assert_eq!((refused.code, refused.reason.as_str()), (Code::InvalidArgument, "FACT_SYNTAX"));
    let missing = client.concept("never_met_before").await.unwrap_err();
    assert_eq!(missing.reason, "CONCEPT_NOT_FOUND");
}

/// A text is split into tokens with their places.
#[tokio::test]
async fn text_is_split() {
    let Some(client) = client() else { return };
    let tokens = client.tokenise("Grüße an Solingen").await.unwrap();
    assert_eq!((tokens[2].text.as_str(), tokens[2].start_offset), ("solingen", 9));
}

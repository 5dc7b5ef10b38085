//! Against a server of the test's own, which refuses each first attempt.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use festinger_client::api::memory_service_server::{MemoryService, MemoryServiceServer};
use festinger_client::api::{self, outcome::Verdict};
use festinger_client::{Client, Code};
use tokio::net::TcpListener;
use tokio_stream::wrappers::{ReceiverStream, TcpListenerStream};
use tonic::{Request, Response, Status, Streaming};

#[derive(Clone, Default)]
struct Failing {
    asserted: Arc<Mutex<Vec<String>>>,
    read: Arc<Mutex<u32>>,
}

#[tonic::async_trait]
impl MemoryService for Failing {
    type RecollectStreamStream = ReceiverStream<Result<api::RecollectStreamResponse, Status>>;

    async fn assert(
        &self,
        request: Request<api::AssertRequest>,
    ) -> Result<Response<api::AssertResponse>, Status> {
        let mut asserted = self.asserted.lock().unwrap();
        asserted.push(request.into_inner().request_id);
        if asserted.len() == 1 {
            return Err(Status::unavailable("starting"));
        }
        let outcome = api::Outcome { verdict: Verdict::Held.into(), ..Default::default() };
        Ok(Response::new(api::AssertResponse { outcome: Some(outcome), ..Default::default() }))
    }

    async fn recollect(
        &self,
        _: Request<api::RecollectRequest>,
    ) -> Result<Response<api::RecollectResponse>, Status> {
        *self.read.lock().unwrap() += 1;
        Err(Status::unavailable("starting"))
    }

    async fn tokenise(
        &self,
        _: Request<api::TokeniseRequest>,
    ) -> Result<Response<api::TokeniseResponse>, Status> {
        std::future::pending().await
    }

    async fn recollect_stream(
        &self,
        _: Request<Streaming<api::RecollectStreamRequest>>,
    ) -> Result<Response<Self::RecollectStreamStream>, Status> {
        Err(Status::unavailable("starting"))
    }

    async fn retract(
        &self,
        _: Request<api::RetractRequest>,
    ) -> Result<Response<api::RetractResponse>, Status> {
        Err(Status::unavailable("starting"))
    }

    async fn resolve(
        &self,
        _: Request<api::ResolveRequest>,
    ) -> Result<Response<api::ResolveResponse>, Status> {
        Err(Status::unavailable("starting"))
    }
}

async fn serve() -> (Failing, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let failing = Failing::default();
    let server = tonic::transport::Server::builder()
        .add_service(MemoryServiceServer::new(failing.clone()))
        .serve_with_incoming(TcpListenerStream::new(listener));
    tokio::spawn(server);
    (failing, address)
}

/// A statement is tried again under one request id.
#[tokio::test]
async fn statement_is_tried_again_under_one_id() {
    let (failing, address) = serve().await;
    let client = Client::builder(address).build().unwrap();
    assert_eq!(client.assert("a -isa b").await.unwrap().verdict(), Verdict::Held);
    let asserted = failing.asserted.lock().unwrap();
    assert_eq!(asserted.len(), 2);
    assert_eq!(asserted[0], asserted[1]);
}

/// A prompt is read again only if its turns have digests, since it would teach twice.
#[tokio::test]
async fn prompt_is_read_again_only_with_digests() {
    let (failing, address) = serve().await;
    let client = Client::builder(address).build().unwrap();
    let mut request =
        api::RecollectRequest { turns: vec![api::Turn::default()], ..Default::default() };
    assert_eq!(client.recollect(request.clone()).await.unwrap_err().code, Code::Unavailable);
    assert_eq!(*failing.read.lock().unwrap(), 1);
    request.turns[0].digest = vec![1];
    assert_eq!(client.recollect(request).await.unwrap_err().code, Code::Unavailable);
    assert_eq!(*failing.read.lock().unwrap(), 5);
}

/// A call ends at the client's timeout.
#[tokio::test]
async fn call_ends_at_its_timeout() {
    let (_, address) = serve().await;
    let client = Client::builder(address).timeout(Duration::from_millis(50)).build().unwrap();
    assert_eq!(client.tokenise("anything").await.unwrap_err().code, Code::DeadlineExceeded);
}

/// A header that cannot be sent is refused before anything is sent.
#[tokio::test]
async fn token_that_cannot_be_sent_is_refused() {
    let refused = Client::builder("127.0.0.1:1").token("line\nend").build().err().unwrap();
    assert_eq!(refused.code, Code::InvalidArgument);
}

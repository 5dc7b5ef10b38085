use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prost::Message;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status, Streaming};

use crate::api::memory_service_client::MemoryServiceClient;
use crate::api::recollect_stream_response::Result as Answer;
use crate::api::{RecollectResponse, RecollectStreamRequest, RecollectStreamResponse};
use crate::client::Service;
use crate::error::{Error, attempt};

const UNSENT_MAX: usize = 16;

type Answered = oneshot::Sender<Result<RecollectResponse, Error>>;

/// The requests without an answer, and why the stream ended.
#[derive(Default)]
struct Waiting {
    last: i64,
    answered: HashMap<i64, Answered>,
    ended: Option<Error>,
}

/// Has any number of prompts recollected over one call that stays open. Answers come when they
/// are ready, in any order.
pub struct RecollectStream {
    requests: mpsc::Sender<RecollectStreamRequest>,
    waiting: Arc<Mutex<Waiting>>,
    receiving: JoinHandle<()>,
    timeout: Duration,
}

impl RecollectStream {
    pub(crate) async fn open(
        mut memory: MemoryServiceClient<Service>,
        timeout: Duration,
    ) -> Result<Self, Error> {
        let (requests, unsent) = mpsc::channel(UNSENT_MAX);
        let answers = memory.recollect_stream(ReceiverStream::new(unsent)).await?.into_inner();
        let waiting = Arc::<Mutex<Waiting>>::default();
        let receiving = tokio::spawn(receive(answers, waiting.clone()));
        Ok(Self { requests, waiting, receiving, timeout })
    }

    /// Reads a prompt and returns what the memory can tell about it.
    ///
    /// The request's `id` is set; its tenant, project and others may name what this request
    /// alone is for.
    pub async fn recollect(
        &self,
        request: RecollectStreamRequest,
    ) -> Result<RecollectResponse, Error> {
        attempt(self.timeout, false, || self.ask(request.clone())).await
    }

    async fn ask(&self, mut request: RecollectStreamRequest) -> Result<RecollectResponse, Error> {
        let (answered, answer) = oneshot::channel();
        request.id = {
            let mut waiting = lock(&self.waiting);
            if let Some(ended) = &waiting.ended {
                return Err(ended.clone());
            }
            waiting.last += 1;
            let id = waiting.last;
            // Who gave up waiting is of no interest any more.
            waiting.answered.retain(|_, it| !it.is_closed());
            waiting.answered.insert(id, answered);
            id
        };
        // Why the stream ended is what the receiver hears, so the error says nothing.
        let _ = self.requests.send(request).await;
        let lost = |_| Err(Error::new(Code::Unavailable, "the stream has ended"));
        answer.await.unwrap_or_else(lost)
    }
}

impl Drop for RecollectStream {
    fn drop(&mut self) {
        self.receiving.abort();
    }
}

async fn receive(mut answers: Streaming<RecollectStreamResponse>, waiting: Arc<Mutex<Waiting>>) {
    let ended = loop {
        match answers.message().await {
            Ok(Some(RecollectStreamResponse { id, result: Some(result) })) => {
                // Nobody may wait for it any more.
                if let Some(answered) = lock(&waiting).answered.remove(&id) {
                    let _ = answered.send(read(result));
                }
            }
            Ok(Some(_)) => {}
            Ok(None) => break Error::new(Code::Unavailable, "the stream has ended"),
            Err(status) => break status.into(),
        }
    };
    let mut waiting = lock(&waiting);
    for (_, answered) in waiting.answered.drain() {
        let _ = answered.send(Err(ended.clone()));
    }
    waiting.ended = Some(ended);
}

fn read(answer: Answer) -> Result<RecollectResponse, Error> {
    match answer {
        Answer::Response(response) => Ok(response),
        // Its bytes are those of a `google.rpc.Status`.
        Answer::Error(refused) => {
            let details = refused.encode_to_vec().into();
            Err(Status::with_details(refused.code.into(), refused.message, details).into())
        }
    }
}

fn lock(waiting: &Mutex<Waiting>) -> std::sync::MutexGuard<'_, Waiting> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

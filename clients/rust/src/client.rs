use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tonic::metadata::{AsciiMetadataValue, MetadataMap};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, ClientTlsConfig, Endpoint};
use tonic::{Code, Request, Response, Status};
use uuid::Uuid;

use crate::api::concept_service_client::ConceptServiceClient;
use crate::api::conflict_service_client::ConflictServiceClient;
use crate::api::line_service_client::LineServiceClient;
use crate::api::memory_service_client::MemoryServiceClient;
use crate::api::{self, assert_request, conflict, retract_request};
use crate::error::{Error, attempt};
use crate::stream::RecollectStream;

pub(crate) type Service = InterceptedService<Channel, Identity>;

/// Adds what says who calls, and which memory.
#[derive(Clone, Default)]
pub(crate) struct Identity(MetadataMap);

impl Interceptor for Identity {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().as_mut().extend(self.0.clone().into_headers());
        Ok(request)
    }
}

/// How a client connects.
#[must_use]
pub struct Builder {
    address: String,
    headers: Vec<(&'static str, String)>,
    timeout: Duration,
    tls: Option<ClientTlsConfig>,
}

impl Builder {
    /// Chooses the memory; the server's default otherwise.
    pub fn tenant(self, name: &str) -> Self {
        self.header("festinger-tenant", name.to_owned())
    }

    /// Sends a bearer token.
    pub fn token(self, token: &str) -> Self {
        self.header("authorization", format!("Bearer {token}"))
    }

    /// Says where the agent works; the name may be in any script.
    pub fn project(self, name: &str) -> Self {
        self.header("festinger-project", utf8_percent_encode(name, NON_ALPHANUMERIC).to_string())
    }

    /// Limits a call with all its tries; 10 seconds otherwise.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = limit;
        self
    }

    /// Encrypts the connection; it is plain text otherwise.
    pub fn tls(mut self, config: ClientTlsConfig) -> Self {
        self.tls = Some(config);
        self
    }

    /// Prepares the client, which connects at its first call. Needs a Tokio runtime.
    ///
    /// # Errors
    ///
    /// The address or a header cannot be sent, or the certificates cannot be read.
    pub fn build(self) -> Result<Client, Error> {
        let unusable = |what: String| Error::new(Code::InvalidArgument, what);
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let mut endpoint = Endpoint::from_shared(format!("{scheme}://{}", self.address))
            .map_err(|error| unusable(format!("the address {:?}: {error}", self.address)))?;
        if let Some(config) = self.tls {
            endpoint = endpoint
                .tls_config(config)
                .map_err(|error| unusable(format!("the certificates: {error}")))?;
        }
        let mut identity = Identity::default();
        for (name, value) in self.headers {
            let value = AsciiMetadataValue::try_from(value)
                .map_err(|_| unusable(format!("{name} has characters that cannot be sent")))?;
            identity.0.insert(name, value);
        }
        Ok(Client { channel: endpoint.connect_lazy(), identity, timeout: self.timeout })
    }

    fn header(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }
}

/// A connection to a memory server; a clone shares it.
#[derive(Clone)]
pub struct Client {
    channel: Channel,
    identity: Identity,
    timeout: Duration,
}

/// Makes a call of a service's client, and takes its message.
macro_rules! call {
    ($self:ident, $repeatable:expr, $service:ident, $method:ident, $request:expr) => {{
        let request = $request;
        attempt($self.timeout, $repeatable, || {
            let (request, service) = (request.clone(), $self.service());
            async move {
                let answer = $service::new(service).$method(request).await;
                Ok(answer.map(Response::into_inner)?)
            }
        })
        .await
    }};
}

impl Client {
    /// Begins to describe a client of the server at `HOST:PORT`.
    pub fn builder(address: impl Into<String>) -> Builder {
        let timeout = Duration::from_secs(10);
        Builder { address: address.into(), headers: Vec::new(), timeout, tls: None }
    }

    /// Splits a text into tokens and says what is known of each.
    pub async fn tokenise(&self, text: &str) -> Result<Vec<api::tokenise_response::Token>, Error> {
        let request = api::TokeniseRequest { text: text.to_owned() };
        Ok(call!(self, true, MemoryServiceClient, tokenise, request)?.tokens)
    }

    /// Reads a prompt and returns what the memory can tell about it.
    ///
    /// After a broken connection it is repeated only if every turn has a digest: whether the
    /// turns were read is not known, and they would teach twice.
    pub async fn recollect(
        &self,
        request: api::RecollectRequest,
    ) -> Result<api::RecollectResponse, Error> {
        let repeatable = request.turns.iter().all(|it| it.seen || !it.digest.is_empty());
        call!(self, repeatable, MemoryServiceClient, recollect, request)
    }

    /// Opens a stream that has any number of prompts recollected over one call. It ends when
    /// it is dropped.
    ///
    /// # Errors
    ///
    /// The server cannot be reached, or refuses the stream.
    pub async fn open_stream(&self) -> Result<RecollectStream, Error> {
        RecollectStream::open(MemoryServiceClient::new(self.service()), self.timeout).await
    }

    /// States a fact, such as `gnommoweb -isa repo`, and returns what became of it when that
    /// is committed. A contradiction is an outcome, not an error.
    pub async fn assert(&self, fact: &str) -> Result<api::Outcome, Error> {
        let statement = Some(assert_request::Statement::Fact(fact.to_owned()));
        let request = api::AssertRequest { statement, request_id: request_id() };
        Ok(call!(self, true, MemoryServiceClient, assert, request)?.outcome.unwrap_or_default())
    }

    /// Takes a fact or a denial back; `reasoning` may be empty.
    pub async fn retract(
        &self,
        fact: &str,
        reasoning: &str,
    ) -> Result<api::RetractResponse, Error> {
        let statement = Some(retract_request::Statement::Fact(fact.to_owned()));
        let reasoning = reasoning.to_owned();
        let request = api::RetractRequest { statement, reasoning, request_id: request_id() };
        call!(self, true, MemoryServiceClient, retract, request)
    }

    /// Keeps what somebody says in plain words.
    pub async fn say(&self, text: &str) -> Result<api::SayResponse, Error> {
        let text = text.to_owned();
        let request = api::SayRequest { text, request_id: request_id(), ..Default::default() };
        call!(self, true, LineServiceClient, say, request)
    }

    /// Finds the lines that fit some words best, at most so many.
    pub async fn search(&self, words: &str, most: i32) -> Result<api::SearchLinesResponse, Error> {
        let query = words.to_owned();
        let request = api::SearchLinesRequest { query, page_size: most, ..Default::default() };
        call!(self, true, LineServiceClient, search_lines, request)
    }

    /// Returns a concept and the facts that place it.
    pub async fn concept(&self, name: &str) -> Result<api::Concept, Error> {
        let request = api::GetConceptRequest { token: name.to_owned(), ..Default::default() };
        Ok(call!(self, true, ConceptServiceClient, get_concept, request)?
            .concept
            .unwrap_or_default())
    }

    /// Returns the contradictions that wait for a decision, oldest first, page by page.
    ///
    /// `page_token` is empty for the first page, and then the page's `next_page_token`.
    pub async fn conflicts(&self, page_token: &str) -> Result<api::ListConflictsResponse, Error> {
        let states = vec![conflict::State::Pending.into()];
        let page_token = page_token.to_owned();
        let request = api::ListConflictsRequest { states, page_token, ..Default::default() };
        call!(self, true, ConflictServiceClient, list_conflicts, request)
    }

    /// Settles a conflict. A request id is added where there is none. For operators.
    pub async fn resolve(&self, mut request: api::ResolveRequest) -> Result<api::Conflict, Error> {
        if request.request_id.is_empty() {
            request.request_id = request_id();
        }
        Ok(call!(self, true, MemoryServiceClient, resolve, request)?.conflict.unwrap_or_default())
    }

    fn service(&self) -> Service {
        InterceptedService::new(self.channel.clone(), self.identity.clone())
    }
}

/// Names a call, so that its repetition changes nothing twice.
fn request_id() -> String {
    Uuid::new_v4().to_string()
}

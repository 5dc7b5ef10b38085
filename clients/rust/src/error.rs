use std::fmt;
use std::future::Future;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout_at};
use tonic::{Code, Status};
use tonic_types::StatusExt;

const TRIES: u32 = 4;

/// Why the server refused a call, or that it could not be reached.
#[derive(Clone, Debug)]
pub struct Error {
    /// The canonical gRPC code.
    pub code: Code,
    /// The name of an `ErrorReason` without its prefix, such as `FACT_SYNTAX`. Empty if the
    /// error is not the server's.
    pub reason: String,
    /// What was wrong and what to do.
    pub message: String,
    /// How long to wait before another try, if the server said so.
    pub retry_after: Option<Duration>,
}

impl Error {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, reason: String::new(), message: message.into(), retry_after: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason.as_str() {
            "" => write!(out, "{:?}: {}", self.code, self.message),
            reason => write!(out, "{reason}: {}", self.message),
        }
    }
}

impl std::error::Error for Error {}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        let details = status.get_error_details();
        let info = details.error_info().filter(|it| it.domain == "festinger");
        let reason = info.map_or("", |it| it.reason.trim_start_matches("ERROR_REASON_"));
        Self {
            code: status.code(),
            reason: reason.to_owned(),
            message: status.message().to_owned(),
            retry_after: details.retry_info().and_then(|it| it.retry_delay),
        }
    }
}

/// Repeats a call while the server asks to come again, or is away, until its time is up.
///
/// `repeatable` says whether it may be repeated after a broken connection.
pub(crate) async fn attempt<Response, Calling>(
    limit: Duration,
    repeatable: bool,
    mut call: impl FnMut() -> Calling,
) -> Result<Response, Error>
where
    Calling: Future<Output = Result<Response, Error>>,
{
    let end = Instant::now() + limit;
    let mut away = 0;
    loop {
        let late = |_| Err(Error::new(Code::DeadlineExceeded, "the server did not answer in time"));
        let error = match timeout_at(end, call()).await.unwrap_or_else(late) {
            Ok(response) => return Ok(response),
            Err(error) => error,
        };
        let pause = match error.retry_after {
            Some(pause) => pause,
            None => {
                away += 1;
                if !repeatable || error.code != Code::Unavailable || away == TRIES {
                    return Err(error);
                }
                Duration::from_millis(200) * away * away
            }
        };
        // Clients that were refused together must not come again together.
        let pause = pause.mul_f64(1.0 + rand::random::<f64>());
        if Instant::now() + pause >= end {
            return Err(error);
        }
        sleep(pause).await;
    }
}

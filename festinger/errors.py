"""Exceptions that this package raises on purpose.

    FestingerError
    ├── ConfigurationError          a setting is wrong; nothing was started
    │   └── AddressInUse            another program listens there already
    ├── DataDirectoryInUse          another Festinger serves this data directory
    ├── InvalidArgument             a value cannot be used
    │   ├── FactSyntaxError         a fact is not of gutask's form
    │   ├── NotATokenError          a name is not one token
    │   ├── NotAValueError          a text is no value that a statement can have
    │   ├── UnreadableFile          a file is broken, or not what its name says
    │   └── RequestIdReused         a request_id came with another request
    ├── NotFound
    │   ├── TenantNotFound, ConceptNotFound, ConflictNotFound, CandidateNotFound
    │   ├── EditNotFound, WaveNotFound, InteractionNotFound, QuestionNotFound
    │   ├── SettingNotFound, ModelNotFound
    │   ├── FactNotHeld             no such fact or denial is held
    │   ├── LineNotFound            no sentence of this name is kept
    │   ├── RecordNotFound          … no such memory or entity
    │   ├── ItemNotFound, DecisionNotFound  … of the inbox or backlog
    │   └── ObjectNotFound          … of the provenance of facts
    ├── AlreadyDecided              the item was decided before
    │   └── ConflictClosed, CandidateClosed, WaveClosed
    ├── RecordStatus                the status of a memory or entity forbids this
    ├── RecordExists                a memory or entity of the same content exists
    ├── SourceGone                  the source text does not exist any more
    ├── LeaseLost                   the lease has ended or belongs to another client
    ├── NothingKept                 the settings disable storing
    ├── ConflictNotSettled          there is no decision to undo
    ├── CannotUndo                  the result of a decision was changed since
    ├── ModelInUse                  a setting names the model
    ├── KeyUnreadable               a model's key cannot be decrypted
    ├── ModelError                  a language model gave no answer that can be used
    │   ├── NoModel                 none is chosen
    │   ├── ModelUnavailable        the model does not answer; try again later
    │   ├── ModelRefused            the provider wants another key, name or request
    │   ├── ModelExhausted          the quota or the budget is used up for now
    │   └── BadAnswer               the model's answer is not of the form asked for
    ├── EtagMismatch                the object changed since it was read
    ├── Unauthenticated             an unknown credential
    ├── PermissionDenied            a credential that is too weak
    ├── CorruptMemory               a row in the database cannot be part of a memory
    ├── VersionNotReached           this server has not reached the version yet
    ├── ServedElsewhere             the directory gives the tenant to another server
    ├── Overloaded                  stopping, or too much at once; try again
    │   └── LimitExceeded           a limit of the tenant is reached
    └── DatabaseUnavailable         Postgres cannot be reached; try again

Each message says what was wrong and what to do. `reason` is the name of an
`ErrorReason` of the API without its prefix.
"""

from __future__ import annotations

from typing import Final

DOMAIN: Final = "festinger"
"""Domain of the reasons in `ErrorInfo`; a gateway may send reasons of its own."""


class FestingerError(Exception):
    """Base class of the exceptions that this package raises on purpose.

    Args:
        message: What was wrong, and what to do.
        metadata: The parts of the message that vary, for programs.
    """

    # Part of the API: clients tell errors apart by it, so that a reason is never renamed.
    reason: str = "INTERNAL"

    def __init__(self, message: str, **metadata: str) -> None:
        super().__init__(message)
        self.message = message
        # Programs get the parts by name, and need not parse the message.
        self.metadata = metadata


class ConfigurationError(FestingerError):
    """A setting is wrong, so nothing was started."""


class AddressInUse(ConfigurationError):
    """Another program listens at the address already."""


class DataDirectoryInUse(FestingerError):
    """Another Festinger serves the data directory."""


class InvalidArgument(FestingerError):
    """A value cannot be used."""

    reason = "INVALID_ARGUMENT"


class FactSyntaxError(InvalidArgument):
    """A fact is not of the form that `gutask iknowthat` takes."""

    reason = "FACT_SYNTAX"


class NotATokenError(InvalidArgument):
    """A name is not one token."""

    reason = "NOT_A_TOKEN"


class NotAValueError(InvalidArgument):
    """A text is no value that a statement can have."""


class UnreadableFile(InvalidArgument):
    """A file is broken, or not what its name says.

    Args:
        problem: The error in the file.
        line: The number of its line, from 1; 0 if that is unknown.
    """

    def __init__(self, problem: str, line: int = 0) -> None:
        where = f"line {line}: " if line else ""
        # The keys of the metadata are part of the API as well, and all of its values are text.
        super().__init__(f"{where}{problem}", line=str(line))
        self.line = line


class RequestIdReused(InvalidArgument):
    """The same `request_id` came with another request."""

    reason = "REQUEST_ID_REUSED"


class NotFound(FestingerError):
    """There is no such thing."""


class TenantNotFound(NotFound):
    """There is no such tenant."""

    reason = "TENANT_NOT_FOUND"


class ConceptNotFound(NotFound):
    """The memory never met this concept."""

    reason = "CONCEPT_NOT_FOUND"


class FactNotHeld(NotFound):
    """No such fact or denial is held, so it cannot be retracted."""

    reason = "FACT_NOT_HELD"


class LineNotFound(NotFound):
    """No sentence of this name is kept: there was none, or it is forgotten."""

    reason = "LINE_NOT_FOUND"


class ConflictNotFound(NotFound):
    """There is no such conflict."""

    reason = "CONFLICT_NOT_FOUND"


class CandidateNotFound(NotFound):
    """There is no such candidate."""

    reason = "CANDIDATE_NOT_FOUND"


class RecordNotFound(NotFound):
    """There is no such memory or entity."""

    reason = "RECORD_NOT_FOUND"


class EditNotFound(NotFound):
    """There is no such edit."""

    reason = "EDIT_NOT_FOUND"


class ItemNotFound(NotFound):
    """There is no such item in the inbox or the backlog."""

    reason = "ITEM_NOT_FOUND"


class DecisionNotFound(NotFound):
    """The inbox has no such decision."""

    reason = "DECISION_NOT_FOUND"


class WaveNotFound(NotFound):
    """There is no such wave."""

    reason = "WAVE_NOT_FOUND"


class InteractionNotFound(NotFound):
    """There is no such interaction."""

    reason = "INTERACTION_NOT_FOUND"


class QuestionNotFound(NotFound):
    """There is no such question."""

    reason = "QUESTION_NOT_FOUND"


class ObjectNotFound(NotFound):
    """No object has this content identifier."""

    reason = "OBJECT_NOT_FOUND"


class SettingNotFound(NotFound):
    """There is no such setting."""

    reason = "SETTING_NOT_FOUND"


class ModelNotFound(NotFound):
    """There is no such model."""

    reason = "MODEL_NOT_FOUND"


class AlreadyDecided(FestingerError):
    """The item was decided before."""


class ConflictClosed(AlreadyDecided):
    """The conflict is settled already."""

    reason = "CONFLICT_CLOSED"


class CandidateClosed(AlreadyDecided):
    """The candidate is decided already."""

    reason = "CANDIDATE_CLOSED"


class WaveClosed(AlreadyDecided):
    """The wave has ended."""

    reason = "WAVE_CLOSED"


class RecordStatus(FestingerError):
    """A memory or entity is not in a status from which this can be done."""

    reason = "RECORD_STATUS"


class RecordExists(FestingerError):
    """A memory or entity of the same content exists."""

    reason = "RECORD_EXISTS"


class LeaseLost(FestingerError):
    """The lease has ended, or belongs to another client by now."""

    reason = "LEASE_LOST"


class SourceGone(FestingerError):
    """The text that a record was found in does not exist any more."""

    reason = "SOURCE_GONE"


class NothingKept(FestingerError):
    """The settings disable the storage of what people say."""

    reason = "NOTHING_KEPT"


class ConflictNotSettled(FestingerError):
    """The conflict is pending, so there is no decision to undo."""

    reason = "CONFLICT_NOT_SETTLED"


class CannotUndo(FestingerError):
    """The result of a decision was changed since, so it cannot be undone."""

    reason = "CANNOT_UNDO"


class ModelInUse(FestingerError):
    """A setting names the model, so it stays."""

    reason = "MODEL_IN_USE"


class KeyUnreadable(FestingerError):
    """A model's key cannot be decrypted with the keys of the key file."""

    reason = "KEY_UNREADABLE"


class ModelError(FestingerError):
    """A language model gave no answer that can be used."""

    # The message names the model; it holds neither a key nor what was asked.
    reason = "MODEL_FAILED"


class NoModel(ModelError):
    """No model is chosen for the purpose; an operator has to choose one."""

    reason = "NO_MODEL"


class ModelUnavailable(ModelError):
    """The model does not answer, or not in time; a later retry may succeed."""


class ModelRefused(ModelError):
    """The model's provider refuses; a retry fails until something is changed."""


class ModelExhausted(ModelError):
    """The provider's quota or the day's budget is used up; retry later."""


class BadAnswer(ModelError):
    """The model gave two answers, neither of the form that was asked for."""


class EtagMismatch(FestingerError):
    """The object changed since it was read."""

    reason = "ETAG_MISMATCH"


class Unauthenticated(FestingerError):
    """The credential is not known."""

    reason = "UNAUTHENTICATED"


class PermissionDenied(FestingerError):
    """The credential does not permit this."""

    reason = "PERMISSION_DENIED"


class CorruptMemory(FestingerError):
    """A row in the database cannot be part of a memory."""

    reason = "CORRUPT_MEMORY"


class VersionNotReached(FestingerError):
    """This server has not followed the others to the version asked for."""

    reason = "BEHIND"


class ServedElsewhere(FestingerError):
    """The directory gives the tenant to another server."""

    reason = "SERVED_ELSEWHERE"


class Overloaded(FestingerError):
    """The server is stopping or overloaded; a retry may succeed.

    Args:
        retry_seconds: Time after which to retry, in seconds.
    """

    reason = "OVERLOADED"

    def __init__(
        self, message: str, *, retry_seconds: float = 1.0, **metadata: str
    ) -> None:
        super().__init__(message, **metadata)
        self.retry_seconds = retry_seconds


class LimitExceeded(Overloaded):
    """A limit of the server or of the tenant is reached; the message says which."""

    reason = "LIMIT_EXCEEDED"


class DatabaseUnavailable(FestingerError):
    """Postgres cannot be reached; a retry may succeed."""

    reason = "DATABASE_UNAVAILABLE"

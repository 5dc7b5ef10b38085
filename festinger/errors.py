"""Exceptions that this package raises on purpose; classes follow their parents.

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

    def __init_subclass__(cls, reason: str = "") -> None:
        if reason:
            cls.reason = reason

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


class InvalidArgument(FestingerError, reason="INVALID_ARGUMENT"):
    """A value cannot be used."""


class FactSyntaxError(InvalidArgument, reason="FACT_SYNTAX"):
    """A fact is not of the form that `gutask iknowthat` takes."""


class NotATokenError(InvalidArgument, reason="NOT_A_TOKEN"):
    """A name is not one token."""


class NotAValueError(InvalidArgument):
    """A text is no value that a statement can have."""


class UnreadableFile(InvalidArgument):
    """A file is broken, or not what its name says.

    Args:
        line: The number of its line, from 1; 0 if that is unknown.
    """

    def __init__(self, problem: str, line: int = 0) -> None:
        where = f"line {line}: " if line else ""
        # The keys of the metadata are part of the API as well, and all of its values are text.
        super().__init__(f"{where}{problem}", line=str(line))
        self.line = line


class RequestIdReused(InvalidArgument, reason="REQUEST_ID_REUSED"):
    """The same `request_id` came with another request."""


class NotFound(FestingerError):
    """There is no such thing."""


class TenantNotFound(NotFound, reason="TENANT_NOT_FOUND"):
    """There is no such tenant."""


class ConceptNotFound(NotFound, reason="CONCEPT_NOT_FOUND"):
    """The memory never met this concept."""


class FactNotHeld(NotFound, reason="FACT_NOT_HELD"):
    """No such fact or denial is held, so it cannot be retracted."""


class LineNotFound(NotFound, reason="LINE_NOT_FOUND"):
    """No sentence of this name is kept: there was none, or it is forgotten."""


class ConflictNotFound(NotFound, reason="CONFLICT_NOT_FOUND"):
    """There is no such conflict."""


class CandidateNotFound(NotFound, reason="CANDIDATE_NOT_FOUND"):
    """There is no such candidate."""


class RecordNotFound(NotFound, reason="RECORD_NOT_FOUND"):
    """There is no such memory or entity."""


class EditNotFound(NotFound, reason="EDIT_NOT_FOUND"):
    """There is no such edit."""


class ItemNotFound(NotFound, reason="ITEM_NOT_FOUND"):
    """There is no such item in the inbox or the backlog."""


class DecisionNotFound(NotFound, reason="DECISION_NOT_FOUND"):
    """The inbox has no such decision."""


class WaveNotFound(NotFound, reason="WAVE_NOT_FOUND"):
    """There is no such wave."""


class InteractionNotFound(NotFound, reason="INTERACTION_NOT_FOUND"):
    """There is no such interaction."""


class QuestionNotFound(NotFound, reason="QUESTION_NOT_FOUND"):
    """There is no such question."""


class ObjectNotFound(NotFound, reason="OBJECT_NOT_FOUND"):
    """No object has this content identifier."""


class SettingNotFound(NotFound, reason="SETTING_NOT_FOUND"):
    """There is no such setting."""


class ModelNotFound(NotFound, reason="MODEL_NOT_FOUND"):
    """There is no such model."""


class AlreadyDecided(FestingerError):
    """The item was decided before."""


class ConflictClosed(AlreadyDecided, reason="CONFLICT_CLOSED"):
    """The conflict is settled already."""


class CandidateClosed(AlreadyDecided, reason="CANDIDATE_CLOSED"):
    """The candidate is decided already."""


class WaveClosed(AlreadyDecided, reason="WAVE_CLOSED"):
    """The wave has ended."""


class RecordStatus(FestingerError, reason="RECORD_STATUS"):
    """A memory or entity is not in a status from which this can be done."""


class RecordExists(FestingerError, reason="RECORD_EXISTS"):
    """A memory or entity of the same content exists."""


class LeaseLost(FestingerError, reason="LEASE_LOST"):
    """The lease has ended, or belongs to another client by now."""


class SourceGone(FestingerError, reason="SOURCE_GONE"):
    """The text that a record was found in does not exist any more."""


class NothingKept(FestingerError, reason="NOTHING_KEPT"):
    """The settings disable the storage of what people say."""


class ConflictNotSettled(FestingerError, reason="CONFLICT_NOT_SETTLED"):
    """The conflict is pending, so there is no decision to undo."""


class CannotUndo(FestingerError, reason="CANNOT_UNDO"):
    """The result of a decision was changed since, so it cannot be undone."""


class ModelInUse(FestingerError, reason="MODEL_IN_USE"):
    """A setting names the model, so it stays."""


class KeyUnreadable(FestingerError, reason="KEY_UNREADABLE"):
    """A model's key cannot be decrypted with the keys of the key file."""


class ModelError(FestingerError, reason="MODEL_FAILED"):
    """A language model gave no answer that can be used.

    The message names the model; it holds neither a key nor what was asked.
    """


class NoModel(ModelError, reason="NO_MODEL"):
    """No model is chosen for the purpose; an operator has to choose one."""


class ModelUnavailable(ModelError):
    """The model does not answer, or not in time; a later retry may succeed."""


class ModelRefused(ModelError):
    """The model's provider refuses; a retry fails until something is changed."""


class ModelExhausted(ModelError):
    """The provider's quota or the day's budget is used up; retry later."""


class BadAnswer(ModelError):
    """The model gave two answers, neither of the form that was asked for."""


class EtagMismatch(FestingerError, reason="ETAG_MISMATCH"):
    """The object changed since it was read."""


class Unauthenticated(FestingerError, reason="UNAUTHENTICATED"):
    """The credential is not known."""


class PermissionDenied(FestingerError, reason="PERMISSION_DENIED"):
    """The credential does not permit this."""


class CorruptMemory(FestingerError, reason="CORRUPT_MEMORY"):
    """A row in the database cannot be part of a memory."""


class VersionNotReached(FestingerError, reason="BEHIND"):
    """This server has not followed the others to the version asked for."""


class ServedElsewhere(FestingerError, reason="SERVED_ELSEWHERE"):
    """The directory gives the tenant to another server."""


class Overloaded(FestingerError, reason="OVERLOADED"):
    """The server is stopping or overloaded; a retry may succeed.

    Args:
        retry_seconds: Time after which to retry, in seconds.
    """

    def __init__(
        self, message: str, *, retry_seconds: float = 1.0, **metadata: str
    ) -> None:
        super().__init__(message, **metadata)
        self.retry_seconds = retry_seconds


class LimitExceeded(Overloaded, reason="LIMIT_EXCEEDED"):
    """A limit of the server or of the tenant is reached; the message says which."""


class DatabaseUnavailable(FestingerError, reason="DATABASE_UNAVAILABLE"):
    """Postgres cannot be reached; a retry may succeed."""

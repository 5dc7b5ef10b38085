"""Everything that goes wrong on purpose.

    FestingerError
    ├── ConfigurationError          a setting is wrong; nothing was started
    │   └── AddressInUse            somebody listens there already
    ├── DataDirectoryInUse          another Festinger serves this data directory
    ├── InvalidArgument             a value cannot be used
    │   ├── FactSyntaxError         a fact is not of gutask's form
    │   ├── NotATokenError          a name is not one token
    │   ├── NotAValueError          a text is no value that a statement can have
    │   ├── Unreadable              a file is broken, or not what its name says
    │   └── RequestIdReused         a request_id came with another request
    ├── NotFound
    │   ├── TenantNotFound
    │   ├── ConceptNotFound
    │   ├── FactNotHeld             there is nothing to retract
    │   ├── ConflictNotFound
    │   ├── LineNotFound            nobody said a sentence of this name, or it is forgotten
    │   ├── FactoidNotFound
    │   ├── ClaimNotFound           … no such memory or entity
    │   ├── EditNotFound
    │   ├── WaveNotFound
    │   ├── InteractionNotFound
    │   ├── QuestionNotFound
    │   ├── ObjectNotFound          … in the trail of where facts come from
    │   ├── SettingNotFound
    │   └── ModelNotFound
    ├── Closed                      it was decided before
    │   ├── ConflictClosed
    │   ├── FactoidClosed
    │   └── WaveClosed
    ├── ClaimStatus                 a memory or entity is not where this can be done
    ├── ClaimExists                 there is one of the same content
    ├── SourceGone                  the text it was found in is not there any more
    ├── LeaseLost                   what was lent is another's by now
    ├── NothingKept                 the settings say that nothing is remembered
    ├── ConflictNotSettled          there is no decision to take back
    ├── CannotUndo                  what a decision did was changed since
    ├── ModelInUse                  a setting names the model
    ├── KeyUnreadable               a model's key cannot be decrypted
    ├── ModelError                  a language model gave no answer that can be used
    │   ├── NoModel                 none is chosen
    │   ├── ModelUnavailable        it does not answer; try again later
    │   ├── ModelRefused            its provider wants another key, name or request
    │   ├── ModelExhausted          no tokens are left for now
    │   └── BadAnswer               it answered something else than was asked for
    ├── EtagMismatch                it changed since it was read
    ├── Unauthenticated             an unknown credential
    ├── PermissionDenied            a credential that is too weak
    ├── CorruptMemory               a row in the database cannot be part of a memory
    ├── Behind                      this server has not followed so far yet
    ├── Overloaded                  stopping, or too much at once; try again
    └── DatabaseUnavailable         Postgres cannot be reached; try again

Each message says what was wrong and what to do. `reason` is the name of an
`ErrorReason` of the API without its prefix, and `metadata` the parts of the message
that vary.
"""

from __future__ import annotations

from typing import ClassVar


class FestingerError(Exception):
    """The root: catch it to catch everything that this package raises on purpose.

    Args:
        message: What was wrong, and what to do.
        metadata: The parts of the message that vary, for programs.
    """

    reason: ClassVar[str] = "INTERNAL"

    def __init__(self, message: str, **metadata: str) -> None:
        super().__init__(message)
        self.message = message
        self.metadata = metadata


class ConfigurationError(FestingerError):
    """A setting is wrong, so nothing was started."""


class AddressInUse(ConfigurationError):
    """Somebody listens at the address already."""


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
        reason: What is wrong with it.
        line: In which line, from 1; 0 if that is unknown.
    """

    def __init__(self, reason: str, line: int = 0) -> None:
        where = f"line {line}: " if line else ""
        super().__init__(f"{where}{reason}", line=str(line))
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
    """Nothing of the kind is held, so nothing can be retracted."""

    reason = "FACT_NOT_HELD"


class LineNotFound(NotFound):
    """Nobody said a sentence of this name, or it is forgotten."""

    reason = "LINE_NOT_FOUND"


class ConflictNotFound(NotFound):
    """There is no such conflict."""

    reason = "CONFLICT_NOT_FOUND"


class FactoidNotFound(NotFound):
    """There is no such candidate."""

    reason = "FACTOID_NOT_FOUND"


class ClaimNotFound(NotFound):
    """There is no such memory or entity."""

    reason = "CLAIM_NOT_FOUND"


class EditNotFound(NotFound):
    """There is no such edit."""

    reason = "EDIT_NOT_FOUND"


class WaveNotFound(NotFound):
    """There is no such wave."""

    reason = "WAVE_NOT_FOUND"


class InteractionNotFound(NotFound):
    """There is no such interaction."""

    reason = "INTERACTION_NOT_FOUND"


class SettingNotFound(NotFound):
    """There is no such setting."""

    reason = "SETTING_NOT_FOUND"


class ModelNotFound(NotFound):
    """There is no such model."""

    reason = "MODEL_NOT_FOUND"


class Closed(FestingerError):
    """It was decided before."""


class ConflictClosed(Closed):
    """The conflict is settled already."""

    reason = "CONFLICT_CLOSED"


class FactoidClosed(Closed):
    """The candidate is decided already."""

    reason = "FACTOID_CLOSED"


class WaveClosed(Closed):
    """The wave has ended."""

    reason = "WAVE_CLOSED"


class ClaimStatus(FestingerError):
    """A memory or entity is not in a status from which this can be done."""

    reason = "CLAIM_STATUS"


class ClaimExists(FestingerError):
    """There is one of the same content."""

    reason = "CLAIM_EXISTS"


class QuestionNotFound(NotFound):
    """There is no such question."""

    reason = "QUESTION_NOT_FOUND"


class ObjectNotFound(NotFound):
    """No object has this content identifier."""

    reason = "OBJECT_NOT_FOUND"


class LeaseLost(FestingerError):
    """What was lent is another's by now."""

    reason = "LEASE_LOST"


class SourceGone(FestingerError):
    """The text that something was found in is not there any more."""

    reason = "SOURCE_GONE"


class NothingKept(FestingerError):
    """The settings say that nothing is remembered."""

    reason = "NOTHING_KEPT"


class ConflictNotSettled(FestingerError):
    """The conflict is pending: there is no decision to take back."""

    reason = "CONFLICT_NOT_SETTLED"


class CannotUndo(FestingerError):
    """What a decision did was changed since."""

    reason = "CANNOT_UNDO"


class ModelInUse(FestingerError):
    """A setting names the model, so it stays."""

    reason = "MODEL_IN_USE"


class KeyUnreadable(FestingerError):
    """A model's key cannot be decrypted with the keys of the key file."""

    reason = "KEY_UNREADABLE"


class ModelError(FestingerError):
    """A language model gave no answer that can be used.

    The message names the model; it holds neither a key nor what was asked.
    """

    reason = "MODEL_FAILED"


class NoModel(ModelError):
    """No model is chosen for the purpose: the operator chooses."""

    reason = "NO_MODEL"


class ModelUnavailable(ModelError):
    """It does not answer, or not in time; trying again later helps."""


class ModelRefused(ModelError):
    """Its provider refuses: trying again helps after something was changed."""


class ModelExhausted(ModelError):
    """The provider's quota is used up, or the day's budget; later there is more."""


class BadAnswer(ModelError):
    """It answered, twice, something else than it was asked for."""


class EtagMismatch(FestingerError):
    """It changed since it was read."""

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


class Behind(FestingerError):
    """This server has not followed the others to the version asked for."""

    reason = "BEHIND"


class Overloaded(FestingerError):
    """The server stops or has too much to do; trying again helps.

    Args:
        retry_seconds: After how long.
    """

    reason = "OVERLOADED"

    def __init__(
        self, message: str, *, retry_seconds: float = 1.0, **metadata: str
    ) -> None:
        super().__init__(message, **metadata)
        self.retry_seconds = retry_seconds


class DatabaseUnavailable(FestingerError):
    """Postgres cannot be reached; trying again helps."""

    reason = "DATABASE_UNAVAILABLE"

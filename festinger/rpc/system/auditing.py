"""Lines of the audit log about calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from google.protobuf.message import Message

from festinger.audit import AuditLog
from festinger.errors import FestingerError
from festinger.rpc.system.callers import ANONYMOUS, RpcCaller

PACKAGE: Final = "/festinger.api.v1."


def methods(names: Mapping[str, str]) -> frozenset[str]:
    """Return the full names of methods, from names by service: `{"Memory": "Assert"}`."""
    return frozenset(
        f"{PACKAGE}{service}Service/{method}"
        for service, those in names.items()
        for method in those.split()
    )


UNAUDITED: Final = methods(
    {
        # What prompts state has its origin in the memory itself.
        "Memory": "Tokenise Recollect RecollectStream",
        "Line": "SearchLines Explain",
        "Concept": "GetConcept ListConcepts History",
        "Conflict": "GetConflict ListConflicts GetResolver",
        "Candidate": "ListCandidates",
        "Promotion": "ListRecords GetRecord GetQueue ListEdits ListState",
        "Inbox": "ListInbox CountInbox GetInboxItem ListInboxDecisions",
        "Admin": "CheckWorld GetSize GetDay GetTrends",
        "Config": "ListSettings ListModels",
        "Learning": "GetLearning",
        "Ingestion": "GetWave ListWaves",
        "Extraction": (
            "GetInteraction ListInteractions ListRejections GetRejectionReport"
        ),
        "Validation": (
            "GetCandidate GetQuestion FindQuestion ListQuestions ListBacklog "
            "ListPredicates ListRaters GetValidationMetrics"
        ),
        "Provenance": "Trace GetObject",
    }
) | methods(
    # Leases that programs take and give back all the time.
    {
        "Learning": "LeaseTurns ListUnembeddedLines SubmitEmbeddings ReleaseTurns",
        "Validation": "LeaseQuestions LeaseBacklog",
    }
)
"""Methods that change nothing that is known; all others are audited, new ones too."""


_NAMING: Final = frozenset({"key", "name", "speaker", "preview"})
"""Fields beside the numbers that tell what a request is about, and hold no sentences."""


def write_call(
    audit: AuditLog,
    caller: RpcCaller,
    method: str,
    request: Any,
    *,
    answer: Any = None,
    error: BaseException | None = None,
) -> None:
    """Write a line about a call that has ended.

    It holds no sentences of the request, only what it is about, such as a conflict.

    Args:
        request: The request; an iterator for a stream.
        answer: The response, if there is a single one.
        error: The error that the call ended with; None if it succeeded.
    """
    credential = caller.credential
    result = "ok"
    if error is not None:
        # The text of any other error could hold anything.
        result = error.reason if isinstance(error, FestingerError) else "failed"
    audit.write(
        token=credential.name,
        # Its hash is made up.
        token_id="" if credential is ANONYMOUS else credential.id,
        principal=caller.principal,
        subject=caller.subject,
        tenant=caller.tenant,
        method=method.rpartition(".")[2],
        # A request holds what people say, which has no place in a log.
        about=_about(request),
        # A statement can be found by the version that it made.
        version=getattr(answer, "version", 0),
        result=result,
    )


def _about(request: Any) -> dict[str, Any]:
    # A stream's requests are not seen here.
    if not isinstance(request, Message):
        return {}
    return {
        field.name: list(value) if field.is_repeated else value
        for field, value in request.ListFields()
        # Nested messages are sentences, statements and filters; numbers name what is decided.
        if field.message_type is None
        and (field.name in _NAMING or field.name.endswith(("_id", "_ids")))
    }

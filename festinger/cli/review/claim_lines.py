"""Formatting of memories and entities as lines of text."""

from __future__ import annotations

import click

from festinger.api.v1 import claim_pb2
from festinger.cli.lines import harmless
from festinger.cli.review.files import printable


def claim_line(claim: claim_pb2.Claim) -> str:
    """Format a memory or an entity with its notes and source."""
    origin = claim.origin
    head = f"#{claim.id} {claim_status(claim)}  {claim_words(claim)}: {claim.content}"
    # A file name may contain line breaks.
    found = f"{printable(origin.place)}: " if origin.place else ""
    lines = [f"{head}  ({', '.join(claim_notes(claim))})"]
    if origin.quote:
        lines.append(f"    {found}“{origin.quote}”")
    elif origin.hand_authored:
        lines.append("    written by hand")
    return harmless("\n".join(lines))


def claim_status(claim: claim_pb2.Claim) -> str:
    """Return the status of a claim: `candidate`."""
    name = claim_pb2.Claim.Status.Name(claim.status)
    return name.removeprefix("STATUS_").lower()


def claim_words(claim: claim_pb2.Claim) -> str:
    """Return the type and kind of a claim: `decision (entity)`."""
    kind = claim_pb2.Claim.Type.Name(claim.type).removeprefix("TYPE_").lower()
    is_entity = claim.kind == claim_pb2.Claim.KIND_ENTITY
    return f"{kind} (entity)" if is_entity else kind


def claim_notes(claim: claim_pb2.Claim) -> list[str]:
    """Return the notes on a claim for reviewers, such as its confidence."""
    origin = claim.origin
    notes = [f"project {claim.project}"] if claim.project else []
    notes += [f"about {claim.subject}"] if claim.subject else []
    notes.append(f"confidence {claim.confidence:.2f}")
    if origin.rule:
        notes.append(f"{origin.rule} of {origin.extractor} {origin.extractor_version}")
    if claim.re_extraction_count:
        notes.append(f"seen {claim.re_extraction_count + 1} times")
    notes += ["stale"] if claim.stale else []
    notes += ["put aside"] if claim.HasField("defer_time") else []
    if claim.fact:
        outcome = f": {claim.outcome}" if claim.outcome else ""
        notes.append(f"states {claim.fact}{outcome}")
    if claim.contradicts:
        numbers = ", ".join(f"#{number}" for number in claim.contradicts)
        notes.append(f"contradicts {numbers}")
    return notes


def marked(origin: claim_pb2.Claim.Origin) -> str:
    """Return the quote of a claim with the match highlighted."""
    quote, start, end = harmless(origin.quote), origin.quote_start, origin.quote_end
    if not 0 <= start < end <= len(quote):
        return quote
    match = click.style(quote[start:end], underline=True, bold=True)
    return quote[:start] + match + quote[end:]

"""`festinger evaluate`: evaluation of the memory on files with conversations."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import Progress, track

from festinger.cli.application import application
from festinger.cli.lines import counted, harmless
from festinger.cli.memories.formats.registry import messages_of
from festinger.cli.options import UPSTREAM, source
from festinger.config import DictionarySettings
from festinger.core.graph.outcome import Outcome, Verdict
from festinger.core.language.reader.questions import SCHEMA, SYSTEM, estimate_tokens
from festinger.errors import FestingerError, UnreadableFile
from festinger.services.language.evaluating import (
    ChatMessage,
    Evaluation,
    EvaluationReport,
)
from festinger.services.recollection.explaining import ExplainedBlock

EXAMPLES_MAX: Final = 3
"""The maximum number of sentences that are shown per person."""
REJECTED_MAX: Final = 5
"""The maximum number of shown lines that a prompt would not get."""


@click.command()
@click.option("--prompt", "prompts", multiple=True, help="What would it be told?")
@click.option("--as", "asker", default="local", show_default=True, help="Who asks it.")
@click.option(
    "--project",
    default="",
    envvar="FESTINGER_PROJECT",
    help="Where it is asked (FESTINGER_PROJECT).",
)
@click.option("--model", metavar="NAME", help="A model of Ollama's that reads them.")
@UPSTREAM
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.argument(
    "chats", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False)
)
def evaluate(
    chats: tuple[Path, ...],
    prompts: tuple[str, ...],
    asker: str,
    project: str,
    model: str | None,
    upstream: str | None,
    as_json: bool,
) -> None:
    """Read conversations into a memory that is thrown away, and show what came of it.

    CHATS are JSON: lists of objects with role and content, objects that have one as
    their messages or turns, or files with one of these a line (.jsonl). Nothing is
    started and nothing is stored.

    \b
    festinger evaluate chats.json --prompt "When does the stock file arrive?"
    festinger evaluate chats.json --model llama3.2
    """
    words = application("dictionary")(DictionarySettings())
    evaluation = Evaluation(words, now=time.time())
    # Collected and told last: one bad file of many must not hide what the others brought.
    broken: list[str] = []
    for message in _read(chats, broken, quiet=as_json):
        evaluation.add(message)
    if model:
        url = source(upstream=upstream).read().shim.upstream
        asyncio.run(_have_read(evaluation, model, url, quiet=as_json))
    # After everything was read: a prompt is asked of the whole memory.
    explained = {
        each: evaluation.explain(each, asker=asker, project=project) for each in prompts
    }
    if as_json:
        click.echo(
            json.dumps(_object(evaluation.report, explained), ensure_ascii=False)
        )
    else:
        _tell(evaluation.report)
        for prompt, found in explained.items():
            _tell_prompt(prompt, found)
    # An error, so that a script notices; the report is printed before it.
    if broken:
        raise FestingerError(
            "\n".join(["some files were not read as a whole:", *broken])
        )


def _read(
    chats: tuple[Path, ...], broken: list[str], *, quiet: bool
) -> Iterator[ChatMessage]:
    """Yield all messages, with a bar on a terminal.

    Args:
        chats: The files.
        broken: A list to which an error message is added for each unreadable file.
        quiet: Whether to show no bar.
    """
    console = Console(stderr=True)  # standard output is the report's
    bar = track(
        chats,
        description="Reading",
        console=console,
        transient=True,
        # A bar in a file would be a line for each step.
        disable=quiet or not console.is_terminal,
    )
    for file in bar:
        try:
            yield from messages_of(file)
        except UnreadableFile as error:
            broken.append(error.message)
        except OSError as error:
            broken.append(f"{file}: {error.strerror}")


async def _have_read(
    evaluation: Evaluation, model: str, url: str, *, quiet: bool
) -> None:
    """Have a model read all messages of people, with a bar on a terminal."""
    ask = application("asking")(url, model)
    console = Console(stderr=True)
    # In characters, which are known; tokens only estimate how long it takes.
    total = sum(len(part.text) for part in evaluation.to_read)
    size = sum(estimate_tokens(part.text) for part in evaluation.to_read)
    if not quiet:
        # The estimate is doubled for the held facts and earlier messages in prompts.
        console.print(
            f"{model} reads {counted(len(evaluation.to_read), 'message')}, about "
            f"{2 * size:,} tokens.",
            highlight=False,
        )
    with Progress(
        console=console, transient=True, disable=quiet or not console.is_terminal
    ) as bar:
        task = bar.add_task("Reading", total=total)
        while (request := evaluation.next_request()) is not None:
            evaluation.learn(request, await ask(SYSTEM, request.prompt, SCHEMA))
            left = sum(len(part.text) for part in evaluation.to_read)
            bar.update(task, completed=total - left)


def _tell(report: EvaluationReport) -> None:
    kept, left = report.kept, report.left_out.total()
    share = len(kept) / ((len(kept) + left) or 1)  # no messages: no division by 0
    click.echo(
        f"{counted(report.messages, 'message')} of people: "
        f"{counted(len(kept), 'sentence')} would be kept ({share:.0%}), "
        f"{counted(report.secrets, 'secret')} cut out."
    )
    speakers = Counter(line.speaker for line in kept)
    for speaker, number in speakers.most_common():
        click.echo(harmless(f"  {speaker}: {number}, such as"))
        for line in [it for it in kept if it.speaker == speaker][:EXAMPLES_MAX]:
            click.echo(harmless(f"    “{line.text}”"))
    for why, number in report.left_out.most_common():
        click.echo(f"  not kept: {number}, since {why}")
    if report.tokens:
        click.echo(f"The model read and wrote about {report.tokens:,} tokens.")
    if report.unread:
        click.echo(f"{counted(report.unread, 'message')} got no answer to be used.")
    for why, number in report.refused.most_common():
        click.echo(f"  statements refused: {number}, since {why}")
    if report.changes:
        click.echo(
            f"{counted(report.changes, 'statement')} would replace what was held, in the "
            "words of whoever said so."
        )
    for verdict, words in (
        (Verdict.HELD, "would be held as facts"),
        (Verdict.CANDIDATE, "would wait for a person"),
        (Verdict.CONFLICTED, "would contradict what is known, and wait"),
    ):
        found = report.verdicts(verdict)
        if found:
            click.echo(f"{counted(len(found), 'statement')} {words}:")
        for outcome in found:
            click.echo(harmless(f"  {_stated(outcome)}"))


def _stated(outcome: Outcome) -> str:
    """Format a statement with the fact that it contradicts or the reason it waits."""
    triple = outcome.triple
    denial = "not " if triple.negated else ""
    line = f"{triple.concept}: [{triple.dimension}] {denial}{triple.parent}"
    if outcome.verdict is Verdict.CONFLICTED and outcome.fact:
        return f"{line} — held: {outcome.fact.parent}"
    if outcome.verdict is Verdict.CANDIDATE and outcome.reason:
        return f"{line} — {outcome.reason}"
    return line


def _tell_prompt(prompt: str, explained: ExplainedBlock) -> None:
    recalled = explained.recalled
    click.echo(harmless(f"\n“{prompt}”"))
    click.echo(
        f"  needs something from this memory with {recalled.openness:.0%}; it is told "
        f"from {recalled.threshold:.0%} on."
    )
    for line in explained.block.splitlines():
        click.echo(harmless(f"  {line}"))
    for choice in recalled.choices:
        click.echo(f"  told     {_considered(choice.found)}")
    for rejected in recalled.rejected[:REJECTED_MAX]:  # those that came nearest
        click.echo(f"  not told {_considered(rejected.found)} ({rejected.why})")


def _considered(found: Any) -> str:
    return harmless(f"{found.probability:4.0%} “{found.line.text}”")


def _object(
    report: EvaluationReport, explained: dict[str, ExplainedBlock]
) -> dict[str, Any]:
    """Return the report and the explanations as a JSON object."""
    return {
        "messages": report.messages,
        "kept": [
            {"text": it.text, "by": it.speaker, "project": it.project}
            for it in report.kept
        ],
        "not_kept": dict(report.left_out),
        "secrets": report.secrets,
        "statements": [
            {
                "fact": str(it.triple),
                "outcome": it.verdict.value,
                "reason": it.reason,
            }
            for it in report.outcomes
        ],
        "changes": report.changes,
        "refused": dict(report.refused),
        "tokens": report.tokens,
        "prompts": [
            {
                "prompt": prompt,
                "block": found.block,
                "openness": found.recalled.openness,
                "threshold": found.recalled.threshold,
                "told": [_scored(it.found, "") for it in found.recalled.choices],
                "not_told": [
                    _scored(it.found, it.why)
                    for it in found.recalled.rejected[:REJECTED_MAX]
                ],
            }
            for prompt, found in explained.items()
        ],
    }


def _scored(found: Any, why: str) -> dict[str, Any]:
    line = {"text": found.line.text, "probability": found.probability}
    # A line that is told shows its features, one that is not the reason.
    return line | ({"why": why} if why else {"features": dict(found.features)})

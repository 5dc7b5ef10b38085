"""The commands by room: where each is, its help and an example."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class CommandEntry(NamedTuple):
    """A command that is imported when it is asked for.

    Attributes:
        target: Module below `festinger.cli` and attribute. Example: `system.start:up`.
        help: One line, as in the list of commands.
        example: A call of it, without `festinger`.
    """

    target: str
    help: str
    example: str


EVERYDAY: Final = ""  # no room can be called so
"""Key of the commands that stand outside of the rooms."""

# Strings instead of imports: `festinger --help` loads none of the modules.
COMMANDS: Final[Mapping[str, Mapping[str, CommandEntry]]] = {
    EVERYDAY: {
        "up": CommandEntry(
            "system.start:up",
            "Run everything on this machine: database, memory server and shim.",
            "up --upstream http://gpu:11434",
        ),
        "demo": CommandEntry(
            "system.start:demo",
            "Show it: a scripted conversation with a stand-in for Ollama.",
            "demo",
        ),
        "check": CommandEntry(
            "system.check:check",
            "Check the configuration, and print what is in force as YAML.",
            "check --explain",
        ),
        "mcp": CommandEntry(
            "system.tools:mcp",
            "Serve the memory as tools of the Model Context Protocol.",
            "mcp --project shop",
        ),
        "connect": CommandEntry(
            "system.connecting:connect",
            "Enter the tools of `festinger mcp` into the configuration of CLIENT.",
            "connect cursor",
        ),
        "facts": CommandEntry(
            "recollection.facts:facts",
            "Show what is known: the lines that fit WORDS best, or the newest.",
            "facts release day --project shop",
        ),
        "forget": CommandEntry(
            "recollection.facts:forget",
            "Forget what people said, everywhere: of several conditions all must hold.",
            'forget --phrase "stock file"',
        ),
        "export": CommandEntry(
            "memories.exporting:export",
            "Write everything that is known, in one of several formats, of any size.",
            "export --project shop > shop.jsonl",
        ),
        "evaluate": CommandEntry(
            "language.evaluating:evaluate",
            "Read conversations into a memory that is thrown away, and show what came of it.",
            "evaluate chats.json --prompt 'Which port does billing have?'",
        ),
        "inbox": CommandEntry(
            "review.inbox:inbox",
            "Decide what waits for you, the costliest mistakes first, one key an answer.",
            "inbox --kind conflict",
        ),
        "memories": CommandEntry(
            "review.records:memories",
            "List typed memories.",
            "memories --type decision --json",
        ),
        "ingest": CommandEntry(
            "review.ingesting:ingest",
            "Read the documents at or below PATH, and propose what is found in them.",
            "ingest docs/ --project shop",
        ),
        "config": CommandEntry(
            "system.preferences:config",
            "List what a memory has set; changes are in force at once.",
            "config set resolve_schedule '0 3 * * *'",
        ),
    },
    "graph": {
        "predicates": CommandEntry(
            "graph.predicates:predicates",
            "List the predicates and what is suggested, set one, or dismiss a suggestion.",
            "graph predicates",
        ),
        "resolve": CommandEntry(
            "graph.resolving:resolve",
            "Have the model of resolve_model_id settle the conflicts that wait.",
            "graph resolve 7 8",
        ),
    },
    "language": {
        "tokens": CommandEntry(
            "language.dryrun:tokens",
            "Show the tokens of FILE (- for standard input).",
            "language tokens README.md",
        ),
        "cues": CommandEntry(
            "language.dryrun:cues",
            "Show the statements of FILE (- for standard input), for an empty memory.",
            "language cues notes.txt",
        ),
        "grounding": CommandEntry(
            "language.grounding:ground_claims",
            "Show how well texts support claims.",
            "language grounding --claims claims.jsonl",
        ),
    },
    "memories": {
        "import": CommandEntry(
            "memories.importing:import_files",
            "Import memories and conversations of other systems.",
            "memories import conversations.json --dry-run",
        ),
        "interactions": CommandEntry(
            "memories.conversations:interactions",
            "List what is kept of conversations and waits, or failed.",
            "memories interactions show 3",
        ),
        "rejections": CommandEntry(
            "memories.conversations:rejections",
            "List what a model read in conversations and was not stored, and why.",
            "memories rejections --report",
        ),
        "revert": CommandEntry(
            "review.records:revert",
            "Take back what is active or rejected: memory or entity NUMBER waits again.",
            "memories revert 12",
        ),
    },
    "review": {
        "entities": CommandEntry(
            "review.records:entities", "List entities.", "review entities --json"
        ),
        "state": CommandEntry(
            "review.records:state",
            "List the trusted state of PROJECT, or write VALUE as its KEY.",
            "review state shop release_day Thursday",
        ),
        "ingestions": CommandEntry(
            "review.ingesting:ingestions",
            "List the waves in which documents were read, newest first.",
            "review ingestions extract 2",
        ),
        "extract": CommandEntry(
            "review.extracting:extract",
            "Show what would be extracted from FILE (- for standard input).",
            "review extract README.md",
        ),
    },
    "validation": {
        "dream": CommandEntry(
            "validation.dreaming:dream",
            "Have the model of dream_model_id look into what people rejected or left.",
            "validation dream",
        ),
        "raters": CommandEntry(
            "validation.learning:raters",
            "List those who answer, and how good they are at yes and at no.",
            "validation raters",
        ),
        "learn": CommandEntry(
            "validation.learning:learn",
            "Learn from everything that was answered now, and not at night.",
            "validation learn",
        ),
        "labels": CommandEntry(
            "validation.learning:labels",
            "Export what people decided as examples that a model can be taught with.",
            "validation labels > labels.jsonl",
        ),
        "aggregate": CommandEntry(
            "validation.aggregating:aggregate_votes",
            "Show what the votes of a table decide (- for standard input).",
            "validation aggregate votes.tsv",
        ),
    },
    "provenance": {
        "trace": CommandEntry(
            "provenance.tracing:trace",
            "Show where a fact comes from, or an answer, a candidate, a message.",
            "provenance trace gnommoweb type",
        ),
        "verify": CommandEntry(
            "provenance.verifying:verify_chain",
            "Check where a fact comes from, trusting nobody.",
            "provenance verify gnommoweb type",
        ),
    },
    "system": {
        "serve": CommandEntry(
            "system.start:serve",
            "Run the gRPC memory server.",
            "system serve --dsn postgresql://localhost/festinger",
        ),
        "shim": CommandEntry(
            "system.start:shim",
            "Run the Ollama-compatible shim.",
            "system shim --upstream http://gpu:11434",
        ),
        "bots": CommandEntry(
            "system.start:bots",
            "Run the bots that ask people whether statements are true.",
            "system bots --config festinger.yaml",
        ),
        "models": CommandEntry(
            "system.models:models",
            "List the language models, and what was spent on them today.",
            "system models add ollama llama3",
        ),
        "tenant": CommandEntry(
            "system.tenants:tenant",
            "Add memories, one for each tenant, and say which server serves them.",
            "system tenant add acme",
        ),
        "tokens": CommandEntry(
            "system.tokens:tokens",
            "Make, list and revoke the tokens of callers.",
            "system tokens create alice --tenant acme --days 90",
        ),
        "certs": CommandEntry(
            "system.certs:certs",
            "Make a certificate for a machine, by the names and addresses that reach it.",
            "system certs memory.lan 192.168.1.20",
        ),
        "completion": CommandEntry(
            "system.completing:completion",
            "Print a script by which SHELL completes commands and options.",
            "system completion bash",
        ),
        "doctor": CommandEntry(
            "system.doctor:doctor",
            "Check the machine, the servers, the database and the queues.",
            "system doctor --json",
        ),
        "status": CommandEntry(
            "system.status:status",
            "Show the sizes of the tables, and what they will be in 30 days.",
            "system status --json",
        ),
        "backup": CommandEntry(
            "system.backups:backup",
            "Write everything to FILE, while servers write, and read it back.",
            "system backup /backups/festinger-$(date +%F).zip",
        ),
        "restore": CommandEntry(
            "system.backups:restore",
            "Make the memories of the database those of the backup FILE.",
            "system restore /backups/festinger-2026-11-01.zip",
        ),
        "reload": CommandEntry(
            "system.reloading:reload",
            "Load a memory anew from the database, while the old one answers.",
            "system reload --tenant acme",
        ),
    },
}

ROOMS: Final[Mapping[str, str]] = {
    "graph": "Predicates, and settling contradictions by a model.",
    "language": "Try out what is read in texts.",
    "review": "Documents: what is extracted, entities, and trusted state.",
    "validation": "Answers, raters and nights.",
    "provenance": "Where facts come from.",
    "system": "Servers, models and memories.",
}
"""The rooms that are no commands themselves, with their help."""

MOVED: Final[Mapping[str, str]] = {
    **{
        name: f"{room} {name}"
        for room, commands in COMMANDS.items()
        if room != EVERYDAY
        for name in commands
    },
    "waves": "review ingestions",  # renamed, and not only moved
    "ground": "language grounding",
    "conflicts": "inbox --kind conflict",
    "validation candidates": "inbox --kind statement",
}
"""Commands that stood elsewhere, and where they are."""

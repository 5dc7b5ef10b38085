"""The commands by room: where each is, its help and an example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

# As text instead of imports: `festinger --help` loads none of the modules.
_TABLE: Final = """
everyday:
  up = system.start
    Run everything on this machine: database, memory server and shim.
    $ up --upstream http://gpu:11434
  demo = system.start
    Show it: a scripted conversation with a stand-in for Ollama.
    $ demo
  check = system.check
    Check the configuration, and print what is in force as YAML.
    $ check --explain
  mcp = system.tools
    Serve the memory as tools of the Model Context Protocol.
    $ mcp --project shop
  connect = system.connecting
    Enter the tools of `festinger mcp` into the configuration of CLIENT.
    $ connect cursor
  facts = recollection.facts
    Show what is known: the lines that fit WORDS best, or the newest.
    $ facts release day --project shop
  forget = recollection.facts
    Forget what people said, everywhere: of several conditions all must hold.
    $ forget --phrase "stock file"
  export = memories.exporting
    Write everything that is known, in one of several formats, of any size.
    $ export --project shop > shop.jsonl
  evaluate = language.evaluating
    Read conversations into a memory that is thrown away, and show what came of it.
    $ evaluate chats.json --prompt 'Which port does billing have?'
  inbox = review.inbox
    Decide what waits for you, the costliest mistakes first, one key an answer.
    $ inbox --kind conflict
  memories = review.records
    List typed memories.
    $ memories --type decision --json
  ingest = review.ingesting
    Read the documents at or below PATH, and propose what is found in them.
    $ ingest docs/ --project shop
  config = system.preferences
    List what a memory has set; changes are in force at once.
    $ config set resolve_schedule '0 3 * * *'
graph:
  predicates = graph.predicates
    List the predicates and what is suggested, set one, or dismiss a suggestion.
    $ graph predicates
  resolve = graph.resolving
    Have the model of resolve_model_id settle the conflicts that wait.
    $ graph resolve 7 8
language:
  tokens = language.dryrun
    Show the tokens of FILE (- for standard input).
    $ language tokens README.md
  cues = language.dryrun
    Show the statements of FILE (- for standard input), for an empty memory.
    $ language cues notes.txt
  grounding = language.grounding:ground_claims
    Show how well texts support claims.
    $ language grounding --claims claims.jsonl
memories:
  import = memories.importing:import_files
    Import memories and conversations of other systems.
    $ memories import conversations.json --dry-run
  interactions = memories.conversations
    List what is kept of conversations and waits, or failed.
    $ memories interactions show 3
  rejections = memories.conversations
    List what a model read in conversations and was not stored, and why.
    $ memories rejections --report
  revert = review.records
    Take back what is active or rejected: memory or entity NUMBER waits again.
    $ memories revert 12
review:
  entities = review.records
    List entities.
    $ review entities --json
  state = review.records
    List the trusted state of PROJECT, or write VALUE as its KEY.
    $ review state shop release_day Thursday
  ingestions = review.ingesting
    List the waves in which documents were read, newest first.
    $ review ingestions extract 2
  extract = review.extracting
    Show what would be extracted from FILE (- for standard input).
    $ review extract README.md
validation:
  dream = validation.dreaming
    Have the model of dream_model_id look into what people rejected or left.
    $ validation dream
  raters = validation.learning
    List those who answer, and how good they are at yes and at no.
    $ validation raters
  learn = validation.learning
    Learn from everything that was answered now, and not at night.
    $ validation learn
  labels = validation.learning
    Export what people decided as examples that a model can be taught with.
    $ validation labels > labels.jsonl
  aggregate = validation.aggregating:aggregate_votes
    Show what the votes of a table decide (- for standard input).
    $ validation aggregate votes.tsv
provenance:
  trace = provenance.tracing
    Show where a fact comes from, or an answer, a candidate, a message.
    $ provenance trace gnommoweb type
  verify = provenance.verifying:verify_chain
    Check where a fact comes from, trusting nobody.
    $ provenance verify gnommoweb type
system:
  serve = system.start
    Run the gRPC memory server.
    $ system serve --dsn postgresql://localhost/festinger
  shim = system.start
    Run the Ollama-compatible shim.
    $ system shim --upstream http://gpu:11434
  bots = system.start
    Run the bots that ask people whether statements are true.
    $ system bots --config festinger.yaml
  models = system.models
    List the language models, and what was spent on them today.
    $ system models add ollama llama3
  tenant = system.tenants
    Add memories, one for each tenant, and say which server serves them.
    $ system tenant add acme
  tokens = system.tokens
    Make, list and revoke the tokens of callers.
    $ system tokens create alice --tenant acme --days 90
  certs = system.certs
    Make a certificate for a machine, by the names and addresses that reach it.
    $ system certs memory.lan 192.168.1.20
  completion = system.completing
    Print a script by which SHELL completes commands and options.
    $ system completion bash
  doctor = system.doctor
    Check the machine, the servers, the database and the queues.
    $ system doctor --json
  status = system.status
    Show the sizes of the tables, and what they will be in 30 days.
    $ system status --json
  backup = system.backups
    Write everything to FILE, while servers write, and read it back.
    $ system backup /backups/festinger-$(date +%F).zip
  restore = system.backups
    Make the memories of the database those of the backup FILE.
    $ system restore /backups/festinger-2026-11-01.zip
  reload = system.reloading
    Load a memory anew from the database, while the old one answers.
    $ system reload --tenant acme
"""
"""By room the commands: name and module, with the attribute if it is not called so; help;
and an example."""


def _commands() -> Iterator[tuple[str, str, CommandEntry]]:
    """Yield the commands of the table, each with its room and its name."""
    room, lines = EVERYDAY, iter(_TABLE.strip().split("\n"))
    for line in lines:
        if line.endswith(":"):
            room = line.removesuffix(":").replace("everyday", EVERYDAY)
            continue
        name, target = line.strip().split(" = ")
        target = target if ":" in target else f"{target}:{name}"
        about, example = next(lines).strip(), next(lines).strip().removeprefix("$ ")
        yield room, name, CommandEntry(target, about, example)


COMMANDS: Final[dict[str, dict[str, CommandEntry]]] = {}
for _room, _name, _entry in _commands():
    COMMANDS.setdefault(_room, {})[_name] = _entry

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

"""Compares what other memories tell of labelled conversations, with the same measures.

    python -m benchmarks.comparison [--embed URL MODEL] [--mcp COMMAND] [--plot PNG] FILE ...

Every memory hears the same turns and is asked the same prompts. What keeps statements gets
those that a perfect reader finds; each may answer with 150 words. A vector store needs
an Ollama that embeds (`/api/embed`), the reference memory server of MCP a command that
starts it; without them both are left out, loudly. Where there are embeddings, mem0 and
Graphiti are compared, too, if they are installed.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import importlib.util
import json
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Column, Table

from benchmarks.drawing import Told, draw_told
from benchmarks.embedding import UpstreamEmbedder
from benchmarks.graphs import GraphitiMemory
from benchmarks.plain import (
    EmbeddedSentences,
    Memory,
    RankedSentences,
    Sentences,
    compare,
    within,
)
from benchmarks.playing import everyday_words
from benchmarks.reading import SimulatedModel
from benchmarks.relevance import MEASURES, measure, total
from benchmarks.talks import WORD, LabelledTalk
from festinger.core.recollection.weighing import shipped

_READERS = {
    SimulatedModel.NONE: "no reader",
    SimulatedModel.ORACLE: "perfect reader",
    SimulatedModel.NOISY: "noisy reader",
}
_KEPT_MAX = 10_000
_QUERIES_MAX = 6
"""Words of a prompt that a model would search for in turn."""


class Mem0:
    """mem0 with its vector store in a folder, told what a perfect reader finds.

    It stands in for both models that mem0 asks: what extracts and what embeds.

    Args:
        folder: An empty folder.

    Raises:
        ImportError: mem0 is not installed.
    """

    def __init__(self, embedder: UpstreamEmbedder, folder: Path) -> None:
        mem0 = importlib.import_module("mem0")
        (vector,) = embedder.vectors(["size"])
        size = len(vector)
        store = {"path": str(folder / "qdrant"), "embedding_model_dims": size}
        self._memory = mem0.Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "llm": {"provider": "openai", "config": {"api_key": "unused"}},
                "embedder": {"provider": "openai", "config": {"api_key": "unused"}},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._embedder = embedder
        self._found: list[str] = []
        self._told: set[str] = set()
        self._memory.llm = self._memory.embedding_model = self

    def generate_response(self, *_: object, **__: object) -> str:
        """Return the labelled facts of the turn that is heard, as mem0 wants them."""
        found = [{"id": str(at), "text": it} for at, it in enumerate(self._found)]
        return json.dumps({"memory": found})

    def embed(self, text: str, *_: object, **__: object) -> list[float]:
        """Return the embedding of a text."""
        return self.embed_batch([text])[0]

    def embed_batch(self, texts: Sequence[str], *_: object) -> list[list[float]]:
        """Return the embeddings of texts."""
        return [list(it) for it in self._embedder.vectors(texts)]

    async def hear(self, turn: dict[str, Any], talk: LabelledTalk) -> None:
        """Have the turn's facts extracted and added."""
        self._found = [": ".join(it) for it in talk.stated(turn)]
        self._told.update(self._found)
        said = [{"role": "user", "content": f"{turn['speaker']}: {turn['text']}"}]
        self._memory.add(said, user_id="team")

    async def ask(self, prompt: str) -> list[str]:
        """Return what its search finds."""
        found = self._memory.search(prompt, filters={"user_id": "team"})
        return within(it["memory"] for it in found["results"])

    async def ended(self) -> set[str]:
        """Return what it was told and does not list."""
        kept = self._memory.get_all(filters={"user_id": "team"}, top_k=_KEPT_MAX)
        return self._told - {it["memory"] for it in kept["results"]}


class ReferenceServer:
    """The reference memory server of MCP, told what a perfect reader finds.

    Its search finds entities that contain the query as it stands, so that it is asked
    with the rarest words of the prompt, one by one.

    Args:
        session: An open session of the client.
    """

    def __init__(self, session: Any) -> None:
        self._session = session
        self._told: set[str] = set()

    async def hear(self, turn: dict[str, Any], talk: LabelledTalk) -> None:
        """Add the labelled facts of the turn as observations."""
        self._told.update(": ".join(it) for it in talk.stated(turn))
        for name, said in talk.stated(turn):
            entity: dict[str, Any] = {
                "name": name,
                "entityType": "thing",
                "observations": [],
            }
            await self._call("create_entities", entities=[entity])
            added = {"entityName": name, "contents": [said]}
            await self._call("add_observations", observations=[added])

    async def ask(self, prompt: str) -> list[str]:
        """Return the observations of the entities found."""
        words = dict.fromkeys(word.lower() for word in WORD.findall(prompt))
        rare = [it for it in words if it not in everyday_words()] or list(words)
        found: dict[str, None] = {}
        for word in rare[:_QUERIES_MAX]:
            graph = await self._call("search_nodes", query=word)
            found |= dict.fromkeys(_observations(graph))
        return within(found)

    async def ended(self) -> set[str]:
        """Return the observations that it was told and has no more."""
        return self._told - set(_observations(await self._call("read_graph")))

    async def _call(self, tool: str, **arguments: Any) -> Any:
        result = await self._session.call_tool(tool, arguments)
        return result.structured_content


def _observations(graph: dict[str, Any]) -> Iterator[str]:
    for entity in graph["entities"]:
        for observed in entity["observations"]:
            yield f"{entity['name']}: {observed}"


async def _with_server(command: str, talk: LabelledTalk) -> Counter[str]:
    """Play a conversation to the reference server, which starts with an empty file."""
    client = importlib.import_module("mcp")
    stdio = importlib.import_module("mcp.client.stdio")
    program, *arguments = shlex.split(command)
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        started = client.StdioServerParameters(
            command=program,
            args=arguments,
            env={"MEMORY_FILE_PATH": f"{folder}/memory.jsonl"},
        )
        streams = await stack.enter_async_context(stdio.stdio_client(started))
        session = await stack.enter_async_context(client.ClientSession(*streams))
        await session.initialize()
        return await compare(ReferenceServer(session), talk)


def _in_folder(
    memory: Callable[[UpstreamEmbedder, Path], Memory],
    embedder: UpstreamEmbedder,
    talk: LabelledTalk,
) -> Counter[str]:
    """Play a conversation to a memory that starts in an empty folder."""

    async def play() -> Counter[str]:
        with tempfile.TemporaryDirectory() as folder:
            return await compare(memory(embedder, Path(folder)), talk)

    return asyncio.run(play())


LIBRARIES: tuple[tuple[str, str, Callable[[UpstreamEmbedder, Path], Memory]], ...] = (
    ("mem0", "mem0", Mem0),
    ("graphiti_core", "Graphiti", GraphitiMemory),
)
"""By package: the name, and what makes one."""


def counts(
    talks: Sequence[LabelledTalk], embedder: UpstreamEmbedder | None, mcp: str
) -> Iterator[tuple[str, Counter[str]]]:
    """Yield the name of each memory, and what came of all prompts."""
    for name, plain in (
        ("BM25 over sentences", RankedSentences),
        ("All that was said", Sentences),
    ):
        yield name, total(asyncio.run(compare(plain(), talk)) for talk in talks)
    if embedder is not None:
        embedder.vectors([it["prompt"] for talk in talks for it in talk.prompts])
        near = (
            asyncio.run(compare(EmbeddedSentences(embedder), talk)) for talk in talks
        )
        yield "Sentences by embeddings", total(near)
        for library, name, memory in LIBRARIES:
            if importlib.util.find_spec(library):
                kept = (_in_folder(memory, embedder, talk) for talk in talks)
                yield f"{name}, perfect reader", total(kept)
    if mcp:
        found = (asyncio.run(_with_server(mcp, talk)) for talk in talks)
        yield "MCP reference server, perfect reader", total(found)
    for model, name in _READERS.items():
        ours = (measure(talk, shipped(), [], model) for talk in talks)
        yield f"Festinger, {name}", total(ours)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--embed", nargs=2, metavar=("URL", "MODEL"), help="what embeds sentences"
    )
    parser.add_argument("--mcp", default="", help="command of the reference server")
    parser.add_argument("--plot", type=Path, help="PNG to draw")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    present = sorted(file for file in options.files if file.is_file())
    left_out = [
        what
        for what, given in (
            ("labelled conversations", present),
            ("the vector store", options.embed),
            ("the reference server", options.mcp),
        )
        if not given
    ]
    if left_out:
        print(f"SKIPPED: {', '.join(left_out)}. They are not shipped.", file=sys.stderr)
    if not present:
        return
    talks = [LabelledTalk.read(file) for file in present]
    table = Table(Column(no_wrap=True), *(what for _, what, _, _ in MEASURES))
    points = []
    embedder = UpstreamEmbedder(*options.embed) if options.embed else None
    for name, count in counts(talks, embedder, options.mcp):
        found = {key: count[some] / (count[of] or 1) for key, _, some, of in MEASURES}
        table.add_row(name, *(f"{figure:.3g}" for figure in found.values()))
        points.append(Told(name, found["stale"], found["needs"], found["words"]))
    Console(width=200).print(table)
    if options.plot:
        draw_told(points, options.plot)


if __name__ == "__main__":
    main()

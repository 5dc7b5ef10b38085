"""Runs one target under atheris: `python -m fuzz tokeniser -max_total_time=60`.

What is given behind the target's name goes to libFuzzer; a file among it is tried alone,
which is how a finding is looked at again. Texts that reached something new are kept in
`build/fuzz/<target>/corpus` and findings beside it, so a later run begins where an
earlier one ended.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

TARGETS = ("tokeniser", "cues", "facts", "messages")
PLACE = Path("build/fuzz")

#: libFuzzer takes no longer words into its dictionary.
WORD_BYTES_MAX = 64
#: No text takes nearly so long; this is for the one that never ends.
SECONDS_MAX = 30


def main(arguments: list[str]) -> None:
    """Run a target until libFuzzer ends the process."""
    name, *rest = arguments or [""]
    if name not in TARGETS:
        raise SystemExit(f"no target {name!r}. Say one of: {', '.join(TARGETS)}")
    try:
        atheris: Any = importlib.import_module("atheris")
    except ImportError as error:
        raise SystemExit(f"atheris cannot be had ({error}): make fuzz") from error
    # Only what is imported here, and nowhere before, guides the search.
    with atheris.instrument_imports(include=["festinger"]):
        target = importlib.import_module(f"fuzz.{name}")
        texts = importlib.import_module("fuzz.texts")

    def try_one(data: bytes) -> None:
        """Check one input; print it if it fails."""
        # Any bytes are a text: what is not UTF-8 becomes lone surrogates.
        text = data.decode("utf-8", "surrogateescape")
        try:
            target.check(text)
        except BaseException:
            print(f"{name} fails for {text!a}", file=sys.stderr)
            raise

    chosen = options(PLACE / name, target, texts.TRAPS)
    if not any(Path(argument).is_file() for argument in rest):
        chosen.append(str(PLACE / name / "corpus"))
    atheris.Setup([name, *chosen, *rest], try_one)
    atheris.Fuzz()


def options(place: Path, target: Any, traps: Iterable[str]) -> list[str]:
    """Lay out a target's directory; return what libFuzzer must know of it."""
    corpus = place / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for seed in target.SEEDS:
        data = encoded(seed)
        (corpus / hashlib.sha1(data).hexdigest()).write_bytes(data)
    words = (data for data in map(encoded, traps) if len(data) <= WORD_BYTES_MAX)
    lines = ("".join(f"\\x{byte:02x}" for byte in data) for data in words)
    (place / "dictionary").write_text("".join(f'"{line}"\n' for line in lines))
    return [
        f"-dict={place / 'dictionary'}",
        f"-artifact_prefix={place}/",
        f"-max_len={target.BYTES_MAX}",
        # Long texts soon: the compiled scanner reads blocks of 64 bytes.
        "-len_control=10",
        f"-timeout={SECONDS_MAX}",
    ]


def encoded(text: str) -> bytes:
    """The bytes from which a text is read, or nearly: surrogates come in bytes too."""
    return text.encode("utf-8", "surrogatepass")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Writes the site's pages: the hand-written ones as they are, and the reference."""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path
from typing import Final

from tools.reference import pages

ROOT: Final = Path(__file__).parents[2]
GUIDES: Final = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
"""Pages that stand where forges look for them, and belong to the site as well."""
_DOCS: Final = re.compile(r"\]\(docs/")
_ELSEWHERE: Final = re.compile(r"\[([^\]]+)\]\((?:LICENSE|README\.md)\)")


def write(folder: Path) -> None:
    """Write all pages of the site below a folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder)
    for name in GUIDES:
        text = _DOCS.sub("](", (ROOT / name).read_text(encoding="utf-8"))
        page = folder / name.lower()
        page.write_text(_ELSEWHERE.sub(r"\1", text), encoding="utf-8")
    for name, text in pages().items():
        page = folder / "reference" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    write(parser.parse_args().folder)

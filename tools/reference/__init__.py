"""Reference pages of the documentation, generated from what they describe.

    python -m tools.reference FOLDER

writes them below a folder. They are not committed: `make docs` makes them anew each time,
so that they cannot be out of date, and `tests/test_reference.py` proves that nothing is
left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from tools.reference.commands import commands_page
from tools.reference.protos import proto_pages
from tools.reference.routes import routes_page
from tools.reference.settings import settings_page


def pages() -> Mapping[str, str]:
    """Return the pages in Markdown, by their file's name."""
    return {
        "settings.md": settings_page(),
        "commands.md": commands_page(),
        "http.md": routes_page(),
        **proto_pages(),
    }

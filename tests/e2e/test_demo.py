from __future__ import annotations

from rich.console import Console

from festinger.demo import demo
from festinger.programs import SILENT


async def test_demonstration_shows_what_it_says() -> None:
    """
    A sentence of Tuesday is told on Thursday, a prompt that needs nothing is left
    alone, a contradiction is doubted, no password is told, and a line is forgotten.
    """
    console = Console(record=True, width=200, force_terminal=False)

    await demo(console, SILENT, pause=False)

    text = console.export_text()
    thursday = text[text.index("Thursday") : text.index("A prompt that needs nothing")]
    quiet = text[text.index("A prompt that needs nothing") : text.index("What changed")]
    assert "Priya has signed off" in thursday
    assert "<recollection>" not in quiet
    assert "06:10" in text
    assert "gnommoweb: [type?] repo — conflict pending" in text
    assert "Forgotten: 1 line." in text
    assert text.count("Tr0ub4dor") == 1

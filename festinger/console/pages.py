"""Templates and static files of the console."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from aiohttp import web
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from festinger.console.enum_names import WORDS, phrase, reason

HERE: Final = Path(__file__).parent

_KINDS: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}

# Sizes in seconds, ascending.
_UNITS: Final = ((1, "s"), (60, "min"), (3600, "h"), (86_400, "d"))


class Pages:
    """Renderer of the console's templates; all values are escaped."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self._environment = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            # Names, quotes and reasons come from prompts, documents and models.
            autoescape=True,
            # A value that a handler forgot fails in a test instead of being shown as nothing.
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.filters.update(
            when=self.when,
            seconds=seconds,
            # `0.50` is shown as 0.5.
            share=lambda value: f"{value:.2f}".rstrip("0").rstrip("."),
            segment=lambda text: quote(text, safe=""),  # slashes as well
            phrase=phrase,
            reason=reason,
            **WORDS,
        )
        self._environment.globals["asset"] = asset

    def render(self, template: str, **values: Any) -> str:
        """Render a template."""
        return self._environment.get_template(template).render(**values)

    def when(self, time: Timestamp) -> Markup:
        """Return a `<time>` element: the relative time, titled with the exact one."""
        moment = time.ToDatetime(UTC)
        exact = f"{moment:%Y-%m-%d %H:%M:%S} UTC"
        # No part of it is user input, so that nothing has to be escaped.
        return Markup(
            f'<time datetime="{moment:%Y-%m-%dT%H:%M:%SZ}" title="{exact}">'
            f"{self._said(moment)}</time>"
        )

    def _said(self, moment: datetime) -> str:
        now = datetime.fromtimestamp(self.now(), UTC)
        # Beyond a month the day says more than a number of days.
        if abs(now - moment) >= timedelta(days=30):
            return f"{moment:%Y-%m-%d}"
        amount = abs((now - moment).total_seconds())
        size, unit = max((it for it in _UNITS if it[0] <= amount), default=_UNITS[0])
        if amount < 1:
            return "just now"
        text = f"{int(amount / size)} {unit}"
        # Times may be in the future: the resolver's next run, the end of a candidate.
        return f"in {text}" if moment > now else f"{text} ago"


def seconds(duration: Duration) -> str:
    """Format a duration in seconds."""
    return f"{duration.ToTimedelta().total_seconds():.1f} s"


@dataclass(frozen=True, slots=True)
class Asset:
    """Static file.

    Attributes:
        body: The content.
        kind: The media type.
        tag: The hash of the content.
    """

    body: bytes
    kind: str
    tag: str


def _read(file: Path) -> Asset:
    body = file.read_bytes()
    return Asset(body, _KINDS[file.suffix], sha256(body).hexdigest()[:16])


# Read once: the files are few and small, and change only with the package.
ASSETS: Final = {file.name: _read(file) for file in (HERE / "static").iterdir()}


def asset(name: str) -> str:
    """Return the URL of a static file, which contains its hash."""
    return f"/admin/static/{name}?{ASSETS[name].tag}"


def static(request: web.Request, name: str) -> web.Response | None:
    """Return a static file, 304 if the browser has it, or None if there is none."""
    found = ASSETS.get(name)
    if found is None:
        return None
    headers = {"ETag": f'"{found.tag}"', "Cache-Control": "no-cache"}
    # Another version has another address, so that this one may be kept for good.
    if request.query_string == found.tag:
        headers["Cache-Control"] = "public, max-age=31536000, immutable"
    if any(it.value == found.tag for it in request.if_none_match or ()):
        return web.Response(status=304, headers=headers)
    return web.Response(
        body=found.body, content_type=found.kind, charset="utf-8", headers=headers
    )

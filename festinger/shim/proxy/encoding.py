"""Prompts that come compressed: with zstd, on the one route where Ollama takes it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

from aiohttp import hdrs
from multidict import CIMultiDict

from festinger.shim.proxy.guard import RequestRefused

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSED_PATHS: Final = frozenset({"/v1/responses"})
"""Where Ollama takes compressed bodies."""

# Ollama's own: more than 8 MiB of window it refuses.
_OPTIONS: Final[dict[int, int]] = {zstd.DecompressionParameter.window_log_max: 23}


def open_body(
    path: str, body: bytes, headers: Mapping[str, str], bytes_max: int
) -> tuple[bytes, Mapping[str, str]]:
    """A body as it can be read, and the headers that fit it.

    What cannot be decompressed is returned as it is; the upstream may judge it.

    Args:
        path: Where it was sent.
        body: As it came.
        headers: That came with it.
        bytes_max: The most that it may hold.

    Raises:
        Refused: It holds more.
    """
    encoding = headers.get(hdrs.CONTENT_ENCODING, "").strip().lower()
    if path not in COMPRESSED_PATHS or encoding != "zstd":
        return body, headers
    reader = zstd.ZstdDecompressor(options=_OPTIONS)
    try:
        # Most frames say how much they hold, which spares the work on a bomb.
        if (zstd.get_frame_info(body).decompressed_size or 0) > bytes_max:
            raise _too_large(bytes_max)
        plain = reader.decompress(body, max_length=bytes_max + 1)
    except zstd.ZstdError:
        return body, headers
    if len(plain) > bytes_max:
        raise _too_large(bytes_max)
    # One frame, as all clients send it: of many small ones each would cost a copy.
    if not reader.eof or reader.unused_data:
        return body, headers
    left = CIMultiDict(headers)
    del left[hdrs.CONTENT_ENCODING]
    return plain, left


def _too_large(bytes_max: int) -> RequestRefused:
    return RequestRefused(
        413,
        f"the body holds more than {bytes_max} bytes. Send less, or raise "
        "shim.body_bytes_max",
    )

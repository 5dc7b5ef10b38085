"""Decompression of zstd bodies, on the one route where Ollama accepts them."""

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
"""Paths where Ollama accepts compressed bodies."""

# Ollama's limit: it refuses a window over 8 MiB.
_OPTIONS: Final[dict[int, int]] = {zstd.DecompressionParameter.window_log_max: 23}


def open_body(
    path: str, body: bytes, headers: Mapping[str, str], bytes_max: int
) -> tuple[bytes, Mapping[str, str]]:
    """Return the decompressed body and the headers for it."""
    encoding = headers.get(hdrs.CONTENT_ENCODING, "").strip().lower()
    if path not in COMPRESSED_PATHS or encoding != "zstd":
        return body, headers
    reader = zstd.ZstdDecompressor(options=_OPTIONS)
    try:
        # Most frames declare their size, so a bomb is refused without decompression.
        if (zstd.get_frame_info(body).decompressed_size or 0) > bytes_max:
            raise _too_large(bytes_max)
        # One byte more than permitted shows that it is too large.
        plain = reader.decompress(body, max_length=bytes_max + 1)
    except zstd.ZstdError:
        # Broken data is forwarded unchanged: Ollama refuses it in the format of its clients.
        return body, headers
    if len(plain) > bytes_max:
        raise _too_large(bytes_max)
    # All clients send one frame; each of many small ones would cost a copy.
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

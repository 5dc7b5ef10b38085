"""Server, shim, console and clients with certificates of a private authority."""

from __future__ import annotations

import asyncio
import os
import ssl
import sys
from pathlib import Path

import aiohttp
import pytest
from click.testing import CliRunner

from festinger.api.v1.concept_service_pb2 import ListConceptsRequest
from festinger.app import everything
from festinger.cli.system.certs import certs
from festinger.config import Settings, ShimSettings
from festinger.credentials import SHIM, read_token
from festinger.errors import ConfigurationError
from festinger.mcp.memory import LocalCaller, MemoryCalls
from festinger.shim.app import Shim
from festinger.standin import StandIn


@pytest.fixture
def made(tmp_path):
    """The files of this machine, as the settings name them."""
    folder = tmp_path / "certs"
    words = ["--directory", str(folder), "127.0.0.1"]
    assert CliRunner().invoke(certs, words).exit_code == 0
    return {
        "certificate": folder / "127.0.0.1.pem",
        "key": folder / "127.0.0.1.key",
        "authority": folder / "authority.pem",
    }


@pytest.fixture
def encrypted(settings, made):
    """Settings by which everything is encrypted, and both sides show a certificate."""
    door = {name: made[name] for name in ("certificate", "key")}
    values = settings.model_dump()
    values["server"] |= {"tls": made, "metrics_address": "127.0.0.1:0"}
    values["shim"] |= {"tls": door}
    return Settings.model_validate(values)


async def program(name, *words, **environment):
    """Return the output of a command, and its exit code."""
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name(name),
        *words,
        env={**os.environ, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    printed, _ = await process.communicate()
    return process.returncode, printed.decode()


async def test_an_agent_is_told_over_encrypted_connections(encrypted, made):
    """
    A prompt reaches the shim by https, the memory by mutual TLS, and comes back with what
    gutask stated by TLS; console and metrics answer by https too.
    """
    context = ssl.create_default_context(cafile=made["authority"])
    async with StandIn() as ollama:
        values = encrypted.model_dump()
        values["shim"]["upstream"] = ollama.url
        chosen = Settings.model_validate(values)
        connector = aiohttp.TCPConnector(ssl=context)
        async with (
            everything(chosen) as running,
            aiohttp.ClientSession(connector=connector) as http,
        ):
            certificates = {
                f"FESTINGER_SERVER__TLS__{name.upper()}": str(file)
                for name, file in made.items()
            }
            place = {
                "FESTINGER_SERVER": running.server,
                "FESTINGER_DATA_DIR": str(chosen.data_dir),
            }
            stated = await program(
                "gutask", "iknowthat", "gnommoweb -isa repo", **place, **certificates
            )
            plain = await program(
                "gutask", "--timeout", "3", "whatis", "gnommoweb", **place
            )
            listed = await program("festinger", "inbox", **place, **certificates)
            url = f"https://{running.shim}"
            body = {
                "model": "m",
                "stream": False,
                "messages": [{"role": "user", "content": "What is gnommoweb?"}],
            }
            async with http.post(f"{url}/api/chat", json=body) as answer:
                told = answer.headers["X-Festinger-Recollection"]
            statuses = []
            for page in (f"{url}/admin", f"https://{running.metrics}/metrics"):
                async with http.get(page) as answer:
                    statuses.append(answer.status)

    assert stated == (0, "held: gnommoweb [type] repo\n")
    assert plain[0] != 0
    assert listed == (0, "Nothing waits for you.\n")
    assert told == "full"
    assert statuses == [200, 200]


async def test_shim_connects_anew_with_a_renewed_certificate(encrypted, made):
    """Prompts are told as before once the shim shows the server another certificate."""
    async with (
        StandIn() as ollama,
        everything(encrypted) as running,
        aiohttp.ClientSession() as http,
    ):
        server = encrypted.server.model_copy(update={"address": running.server})
        section = ShimSettings.model_validate(
            {
                "address": "127.0.0.1:0",
                "upstream": ollama.url,
                "memory_milliseconds_max": 5000,
            }
        )
        token = read_token(encrypted.data_dir, SHIM)
        async with Shim(section, server, lambda: token) as shim:
            results = []
            for _ in range(2):
                folder = made["key"].parent
                CliRunner().invoke(certs, ["--directory", str(folder), "127.0.0.1"])
                await shim.look_at_certificates()
                body = {"model": "m", "prompt": "What is gnommoweb?", "stream": False}
                async with http.post(f"{shim.url}/api/generate", json=body) as answer:
                    results.append(answer.headers["X-Festinger-Recollection"])

    assert results == ["none", "none"]


async def test_tools_connect_anew_with_a_renewed_authority(encrypted, made):
    """`festinger mcp` goes on when every file was made anew, and while one is missing."""
    folder = made["key"].parent
    caller = LocalCaller(encrypted.data_dir).caller()
    request = ListConceptsRequest(page_size=1)
    async with everything(encrypted) as running:
        memory = MemoryCalls(running.server, encrypted.server.tls)
        for file in folder.iterdir():
            file.unlink()
        CliRunner().invoke(certs, ["--directory", str(folder), "127.0.0.1"])

        first = await memory.call(request, caller)
        made["key"].unlink()
        again = await memory.call(request, caller)
        await memory.close()

    assert again == first


@pytest.mark.parametrize(
    ("section", "key"), [("server", "address"), ("shim", "address")]
)
async def test_plain_text_beyond_loopback_is_refused(settings, section, key):
    """Nothing listens where others can read along, unless the operator says so in words."""
    values = settings.model_dump()
    values[section][key] = "0.0.0.0:0"

    with pytest.raises(ConfigurationError, match=f"{section}.plain_text: true"):
        async with everything(Settings.model_validate(values)):
            pass

    values[section]["plain_text"] = True
    async with everything(Settings.model_validate(values)) as running:
        assert running.shim


async def test_missing_certificate_stops_the_start(encrypted, made):
    """A file that is not there is named, and nothing listens."""
    made["key"].unlink()

    with pytest.raises(ConfigurationError, match=r"127\.0\.0\.1\.key"):
        async with everything(encrypted):
            pass

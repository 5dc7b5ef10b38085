"""Commands for the language models that work in the background."""

from __future__ import annotations

import os
import sys
import uuid
from typing import Any

import click

from festinger.api.v1 import config_service_pb2 as pb
from festinger.cli.calls import call
from festinger.cli.lines import model_line
from festinger.cli.listing import JSON, show
from festinger.cli.options import CONFIG, DATA_DIR, NUMBER, SERVER, TENANT, options
from festinger.core.system.models import Provider
from festinger.errors import InvalidArgument

# For scripts: an argument would be seen by `ps` and kept in the shell's history.
KEY_VARIABLE = "FESTINGER_MODEL_KEY"
TEST_SECONDS = 600.0
"""Timeout of a test in seconds: the longest that a server allows."""


@click.group(invoke_without_command=True)
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@JSON
@click.pass_context
def models(context: click.Context, /, as_json: bool, **values: Any) -> None:
    """List the language models, and what was spent on them today.

    None is asked before it is chosen: `festinger config set resolve_model_id NUMBER` has
    one settle conflicts, extract_model_id has one read memories out of conversations, and
    `learning: {model: NUMBER}` in the configuration has one read what people say.
    A model of Ollama's may push the agents' own out of memory.
    """
    context.obj = values
    if context.invoked_subcommand:
        return
    listed = call(values, pb.ListModelsRequest())
    none = "No model. Add one: festinger system models add ollama NAME"
    show(listed.models, model_line, none, as_json=as_json)


@models.command()
@click.argument("provider", type=click.Choice([it.value for it in Provider]))
@click.argument("name")
@click.option(
    "--base-url",
    default="",
    metavar="URL",
    help="Where it is asked, if not at the provider's own address: for openai any "
    "server that speaks its API; for ollama another than the shim's upstream.",
)
@click.option(
    "--key-file",
    type=click.File(encoding="utf-8"),
    help="A file with its key, or - for standard input.",
)
@click.pass_obj
def add(
    values: dict[str, Any], /, provider: str, name: str, base_url: str, key_file: Any
) -> None:
    """Add a model of PROVIDER, by the provider's NAME for it.

    Its key is read from --key-file, from the variable FESTINGER_MODEL_KEY, or asked
    for. Nobody can read it again. A model of ollama's needs none, nor does one of
    openai's with a --base-url.
    """
    whose = Provider(provider)
    added = call(
        values,
        pb.CreateModelRequest(
            provider=f"PROVIDER_{whose.name}",
            model_name=name,
            base_url=base_url,
            api_key=_key(key_file, whose, needed=whose.needs_key(base_url)),
            request_id=str(uuid.uuid4()),  # a repeated call adds one model
        ),
    )
    click.echo(model_line(added.model))


@models.command()
@NUMBER
@click.pass_obj
def remove(values: dict[str, Any], number: int) -> None:
    """Remove a model and its key."""
    call(values, pb.DeleteModelRequest(model_id=number))
    click.echo(f"removed model {number}")


@models.command()
@NUMBER
@click.pass_obj
def test(values: dict[str, Any], number: int) -> None:
    """Ask a model for one word; exit code 1 if it does not answer."""
    tried = call(values, pb.TestModelRequest(model_id=number), seconds=TEST_SECONDS)
    if not tried.answered:
        click.echo(tried.error)
        sys.exit(1)  # an exit code for scripts
    seconds = tried.duration.ToTimedelta().total_seconds()
    click.echo(f"model {number} answered in {seconds:.1f} s")


@models.command()
@click.pass_obj
def rotate(values: dict[str, Any]) -> None:
    """Encrypt the models' keys anew, with the newest key of the key file.

    First write a new key (openssl rand -base64 32) as the first line of model.keys in
    the server's data directory, or to the front of FESTINGER_KEYS. Afterwards, and once
    this was done for each --tenant, the older keys can be removed there.
    """
    rotated = call(values, pb.RotateKeysRequest())
    click.echo(f"encrypted {rotated.key_count} keys of {values['tenant']} anew")


def _key(file: Any, provider: Provider, *, needed: bool) -> str:
    """Return a model's API key, or an empty string if none is given or needed."""
    if file:
        return str(file.read()).strip()
    # The variable is no setting, because the key is used only once.
    given = os.environ.get(KEY_VARIABLE, "").strip()
    if given or not needed:
        return given
    # Without a terminal nobody can be asked.
    if not sys.stdin.isatty():
        raise InvalidArgument(
            f"a model of {provider} needs a key: set {KEY_VARIABLE}, or name a file "
            "with --key-file (- for standard input)"
        )
    return str(click.prompt(f"Key for {provider}", hide_input=True)).strip()

"""Commands for a tenant's settings in the database."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import click

from festinger.api.v1 import config_service_pb2
from festinger.cli.calls import call
from festinger.cli.listing import JSON, show
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options

_WIDTH = 76  # columns of the explanations
KEY = click.argument("key")


@click.group(invoke_without_command=True)
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@JSON
@click.pass_context
def config(context: click.Context, /, as_json: bool, **values: Any) -> None:
    """List what a memory has set; changes are in force at once.

    What is in the configuration file instead, `festinger check --explain` lists.
    """
    context.obj = values
    if context.invoked_subcommand:
        return
    listed = call(values, config_service_pb2.ListSettingsRequest())
    # No sentence for an empty list: each setting has a value.
    show(listed.settings, _described, "", as_json=as_json)


@config.command("set")
@KEY
@click.argument("value")
@click.pass_obj
def set_(values: dict[str, Any], key: str, value: str) -> None:
    """Set KEY to VALUE."""
    _update(values, config_service_pb2.UpdateSettingRequest(key=key, value=value))


@config.command()
@KEY
@click.pass_obj
def reset(values: dict[str, Any], key: str) -> None:
    """Give KEY its default again."""
    # Without a value: the default.
    _update(values, config_service_pb2.UpdateSettingRequest(key=key))


def _update(
    values: dict[str, Any], request: config_service_pb2.UpdateSettingRequest
) -> None:
    updated = call(values, request)
    click.echo(_line(updated.setting))


def _described(setting: config_service_pb2.Setting) -> str:
    comment = [f"# {line}" for line in wrap(setting.description, _WIDTH)]
    return "\n".join([*comment, _line(setting), ""])


def _line(setting: config_service_pb2.Setting) -> str:
    was = setting.default_value
    return f"{setting.key}: {setting.value}" + (
        f"  (default {was})" if setting.value != was else ""
    )

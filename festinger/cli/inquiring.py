"""The unknown concepts that a model is asked about."""

from __future__ import annotations

from typing import Any

import click

from festinger.api.v1 import inquiry_service_pb2 as pb
from festinger.api.v1 import inquiry_service_pb2_grpc
from festinger.cli.calls import call, pages
from festinger.cli.lines import inquiry_line
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options


@click.group(invoke_without_command=True)
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@click.option("--all", "show_all", is_flag=True, help="The answered ones too.")
@click.pass_context
def waiting(context: click.Context, /, show_all: bool, **values: Any) -> None:
    """List the concepts that a model is asked about, and what went wrong.

    A concept that was met often (saliency_write_threshold) and of which nothing is known
    waits here with the last sentences in which it appeared, until the model of
    write_model_id has answered. The sentences are deleted then.
    """
    context.obj = values
    if context.invoked_subcommand:
        return
    states = [] if show_all else [pb.Inquiry.STATE_WAITING, pb.Inquiry.STATE_FAILED]
    empty, resting = True, ""
    for page in pages(
        values,
        lambda channel: (
            inquiry_service_pb2_grpc.InquiryServiceStub(channel).ListInquiries
        ),
        pb.ListInquiriesRequest(states=states),
    ):
        resting = page.resting
        for inquiry in page.inquiries:
            click.echo(inquiry_line(inquiry))
            empty = False
    if empty:
        click.echo("No concept waits.")
    if resting:
        click.echo(f"resting: {resting}")


@waiting.command()
@click.argument("concept")
@click.pass_obj
def retry(values: dict[str, Any], concept: str) -> None:
    """Have the model asked about CONCEPT now, whatever went wrong."""
    retried = call(
        values,
        lambda channel: (
            inquiry_service_pb2_grpc.InquiryServiceStub(channel).RetryInquiry
        ),
        pb.RetryInquiryRequest(concept=concept),
    )
    click.echo(inquiry_line(retried.inquiry))

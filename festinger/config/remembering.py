"""The settings of typed memories: how they are grounded, scored and kept (G1, G2)."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from festinger.config.sections import Section

Share = Annotated[float, Field(ge=0, le=1, strict=True)]


def _rise(section: Section, *names: str) -> None:
    """Has settings rise in this order; who is refused is one that was written.

    Raises:
        ValidationError: They do not.
    """
    for low, high in pairwise(names):
        least, most = getattr(section, low), getattr(section, high)
        if least <= most:
            continue
        wrong, why = low, f"must not be above {high}, which is {most:g}"
        if low not in section.model_fields_set:
            wrong, why = high, f"must not be below {low}, which is {least:g}"
        raise ValidationError.from_exception_data(
            type(section).__name__,
            [
                InitErrorDetails(
                    type=PydanticCustomError("order", "{why}", {"why": why}),
                    loc=(wrong,),
                    input=getattr(section, wrong),
                )
            ],
        )


class GroundingSettings(Section):
    """Which claims of models a text supports, by a score from 0 to 1 (G1)."""

    grounded: Share = 0.87
    """From this score a claim is grounded, unless it has a number, a name or a negation
    that its text has not."""
    candidate: Share = 0.50
    """From this score people say whether it is; below it is rejected."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        _rise(self, "candidate", "grounded")
        return self


class FactorSettings(Section):
    """What each finding adds to the confidence of what a model read of a person (G2)."""

    exact: float = Field(default=0.30, gt=0, le=1, strict=True)
    """Added if it stands in its text, whatever the endings of its words."""
    phrases: Share = 0.20
    """Added if its text has all of its words."""
    similar: Share = 0.10
    """Added if its text has half of them, or says it in words much alike."""
    twice: Share = 0.10
    """Added if it is mentioned twice."""
    often: Share = 0.20
    """Added if it is mentioned three times or more."""
    consistent: Share = 0.20
    """Added if it contradicts nothing that is known of the person."""
    contradicting: float = Field(default=-0.25, ge=-1, le=0, strict=True)
    """Added if it contradicts what is known of the person; that is lowered by as much."""
    explicit_fact: Share = 0.40
    """Added if it is a fact, and the person said so."""
    repeated_pattern: Share = 0.35
    """Added if it is a pattern that was observed twice or more."""
    single_pattern: Share = 0.25
    """Added if it is a pattern that was observed once."""
    narrative: Share = 0.35
    """Added if it is a shared narrative."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        _rise(self, "similar", "phrases", "exact")
        _rise(self, "twice", "often")
        _rise(self, "single_pattern", "repeated_pattern")
        return self


class ThresholdSettings(Section):
    """The confidence that each type of memory asks for (G3)."""

    user_fact: Share = 0.80
    """From this confidence a fact is told."""
    user_pattern: Share = 0.75
    """From this confidence a pattern is stored, for people to decide."""
    user_pattern_active: Share = 0.80
    """From this confidence a pattern is told."""
    user_pattern_proposal: Share = 0.60
    """From this confidence a pattern that is not stored is logged as a proposal."""
    shared_narrative: Share = 0.60
    """From this confidence a narrative is told."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        _rise(self, "user_pattern_proposal", "user_pattern", "user_pattern_active")
        return self


class MemorySettings(Section):
    """How it is decided what becomes of what models read in conversations."""

    factors: FactorSettings = FactorSettings()
    thresholds: ThresholdSettings = ThresholdSettings()

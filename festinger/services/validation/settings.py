"""Current settings of validation, which may change at run time."""

from __future__ import annotations

from dataclasses import dataclass, field

from festinger.core.validation.policy import ValidationPolicy


@dataclass(slots=True)
class Validation:
    """Settings of validation, shared by the memories of this process.

    Attributes:
        policy: The policy; a change of the configuration replaces it.
    """

    policy: ValidationPolicy = field(default_factory=ValidationPolicy)

"""Builds the hot path's extensions; everything else is in pyproject.toml.

The extensions are part of the product, so a compile that fails is an error.
"""

from __future__ import annotations

import os
import sys
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

MODULES = (
    "asking",
    "blotter",
    "characters",
    "closely",
    "compounds",
    "considering",
    "edges",
    "enclosures",
    "found",
    "gaps",
    "graph",
    "kindtable",
    "leads",
    "lines",
    "lists",
    "loader",
    "loading",
    "lookup",
    "markup",
    "mentions",
    "postings",
    "prose",
    "reading",
    "records",
    "rooms",
    "scanner",
    "sentences",
    "surroundings",
    "telling",
    "texts",
    "unmade",
    "vocabulary",
    "wording",
    "wordtable",
)
HEADERS = sorted(glob("festinger/_fast/*.h"))

# Flags behind ours, such as those of the sanitizers.
FLAGS = os.environ.get("FESTINGER_CFLAGS", "").split()


class BuildExtensions(build_ext):
    """Compiles, and says what to do where that fails."""

    def finalize_options(self) -> None:
        """Compile on all processors, unless told otherwise."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self) -> None:
        """Compile every extension."""
        try:
            super().run()
        except (BaseError, CCompilerError, OSError):
            print(
                "festinger: the hot path could not be compiled. Install gcc and "
                "Python's headers (Debian: apt install gcc python3-dev).",
                file=sys.stderr,
            )
            raise


def extensions() -> list[Extension]:
    """Return the extension modules to build."""
    modules = cythonize(
        [
            Extension(
                f"festinger._fast.{name}",
                [f"festinger/_fast/{name}.pyx"],
                depends=HEADERS,
                extra_compile_args=["-O3", *FLAGS],
            )
            for name in MODULES
        ],
        compiler_directives={"language_level": 3, "embedsignature": False},
    )
    # cythonize() builds new Extension objects and drops this flag, so set it here.
    for module in modules:
        module.optional = False
    return list(modules)


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildExtensions})

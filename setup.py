"""Builds the hot path's extension; everything else is in pyproject.toml.

The extension is part of the product, so a compile that fails is an error.
"""

from __future__ import annotations

import os
import sys
from glob import glob

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

# Flags behind ours, such as those of the sanitizers.
FLAGS = os.environ.get("FESTINGER_CFLAGS", "").split()


class BuildExtension(build_ext):
    """Compiles, and says what to do where that fails."""

    def run(self) -> None:
        """Compile the extension."""
        try:
            super().run()
        except (BaseError, CCompilerError, OSError):
            print(
                "festinger: the hot path could not be compiled. Install gcc and "
                "Python's headers (Debian: apt install gcc python3-dev).",
                file=sys.stderr,
            )
            raise


NATIVE = Extension(
    "festinger._fast.native",
    # Its other parts, `*.pxi`, are included.
    ["festinger/_fast/native.pyx"],
    depends=sorted(glob("festinger/_fast/*.h")),
    # Debug information would be most of the wheel.
    extra_compile_args=["-O3", "-g0", *FLAGS],
)

# Cython makes C of it where it is compiled: a source archive needs none.
NATIVE.cython_directives = {"language_level": 3, "embedsignature": False}

setup(ext_modules=[NATIVE], cmdclass={"build_ext": BuildExtension})

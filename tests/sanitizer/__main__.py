"""Builds with the sanitizers, proves that they see, and runs the tests."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path

from hypothesis.strategies import characters

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "sanitized"
PACKAGES = BUILT / "lib"
PLANTED = Path(__file__).with_name("planted.c")
SUPPRESSIONS = Path(__file__).with_name("suppressions.txt")

FLAGS = (
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
    "-fno-omit-frame-pointer",
)
LEAK = "leak"
MISTAKES = {
    "overrun": "AddressSanitizer: heap-buffer-overflow",
    "reuse": "AddressSanitizer: heap-use-after-free",
    "overflow": "runtime error: signed integer overflow",
    LEAK: "LeakSanitizer: detected memory leaks",
}
"""What is planted, and what must be said of it."""

CRASHED = "LeakSanitizer has encountered a fatal error"
RUNS_MAX = 3
"""How often the tests run at most, if the look for leaks ends itself."""
TESTS = (
    "tests/fast",
    "tests/core/language/test_cues.py",
    "tests/core/graph/test_statement.py",
)
"""What touches the extensions and needs no database."""
EXAMPLES = 15
"""How many of Hypothesis' examples a test gets, at most: each takes several times
longer here, and the same tests run in full elsewhere."""


def main() -> int:
    """Run the command; its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.sanitizer")
    parser.add_argument(
        "--require", action="store_true", help="fail where there is no sanitizer"
    )
    options, arguments = parser.parse_known_args()
    library = _library()
    if library is None:
        print(
            "NOT SANITIZED: gcc and its libasan are not on this machine "
            "(Debian: apt install gcc libasan8)",
            file=sys.stderr,
        )
        return int(options.require)
    environment = _environment(library)
    _build()
    blind = [name for name in MISTAKES if not _sees(name, environment)]
    if blind == [LEAK]:
        # Finding them takes rights that a container may lack.
        print("LEAKS ARE NOT LOOKED FOR: this machine forbids it", file=sys.stderr)
        environment["ASAN_OPTIONS"] += ":detect_leaks=0"
    elif blind:
        print(f"the sanitizer does not see: {', '.join(blind)}", file=sys.stderr)
        return 1
    seen = [name for name in MISTAKES if name not in blind]
    print(f"the sanitizer sees: {', '.join(seen)}", flush=True)
    # Hypothesis keeps the table of characters that it makes; under the sanitizers that
    # would take six times as long.
    characters(codec="utf-8").validate()
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
        # What a sanitizer writes as it ends the process must not go into a file.
        *("--capture=sys", "-p", "tests.sanitizer.plugin"),
        *arguments,
        *(() if any(map(os.path.exists, arguments)) else TESTS),
    ]
    return _run(command, environment)


def _run(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run the tests, once more if the look for leaks ended itself; the exit code."""
    for _ in range(RUNS_MAX):
        ended = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        sys.stderr.write(ended.stderr)
        # Seldom its tracer is hit by a signal: nothing is known of leaks then.
        if CRASHED not in ended.stderr:
            break
    return ended.returncode


def _library() -> Path | None:
    """Return the sanitizer's library; None if there is none."""
    compiler = _compiler()
    if shutil.which(compiler) is None:
        return None
    answer = subprocess.run(
        [compiler, "-print-file-name=libasan.so"],
        capture_output=True,
        text=True,
        check=False,
    )
    # A compiler that has none repeats the name.
    library = Path(answer.stdout.strip())
    return library.resolve() if library.is_absolute() and library.exists() else None


def _compiler() -> str:
    return (os.environ.get("CC") or str(sysconfig.get_config_var("CC"))).split()[0]


def _environment(library: Path) -> dict[str, str]:
    """Return the environment of a Python that loads the sanitized extensions."""
    return os.environ | {
        "LD_PRELOAD": str(library),
        # Python's own allocator would hide who owns what.
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
        "LSAN_OPTIONS": f"suppressions={SUPPRESSIONS}:print_suppressions=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        # The sanitized package comes before the one that lies in the root.
        "PYTHONPATH": os.pathsep.join((str(PACKAGES), str(ROOT))),
        "PYTHONSAFEPATH": "1",
        "FESTINGER_SANITIZED": str(PACKAGES),
    }


def _build() -> None:
    """Compile the extensions that setup.py names, and the planted mistakes."""
    subprocess.run(
        [
            *(sys.executable, "setup.py", "-q", "build"),
            *("--build-base", str(BUILT), "--build-lib", str(PACKAGES)),
            *("--parallel", str(len(os.sched_getaffinity(0)))),
        ],
        cwd=ROOT,
        env=os.environ
        | {
            "FESTINGER_CFLAGS": " ".join((*FLAGS, "-O0", "-g1", "-w")),
            "LDFLAGS": f"{os.environ.get('LDFLAGS', '')} {FLAGS[0]}",
        },
        check=True,
    )
    subprocess.run(
        [
            *(_compiler(), *FLAGS, "-O1", "-g1", "-shared", "-fPIC"),
            *(str(PLANTED), "-o", str(BUILT / "planted.so")),
        ],
        check=True,
    )


def _sees(mistake: str, environment: dict[str, str]) -> bool:
    """Return whether a planted mistake ends the process, and is named."""
    program = (
        f"import ctypes; ctypes.CDLL({str(BUILT / 'planted.so')!r}).{mistake}(100)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.returncode != 0 and MISTAKES[mistake] in ended.stderr


if __name__ == "__main__":
    sys.exit(main())

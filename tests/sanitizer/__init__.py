"""The hot path's tests under the address and undefined-behaviour sanitizers.

python -m tests.sanitizer [--require] [ARGUMENT ...]

The extensions are built a second time, in a directory of their own, with every access to
memory checked. That the checks see anything is proven first, on planted mistakes.
"""

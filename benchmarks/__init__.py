"""Measurements: what each part costs, always as a ratio to a peer of the same run.

python -m benchmarks [--quick] [NAME ...]
"""

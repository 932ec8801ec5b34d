"""The cases of bench.py."""

"""The harness of the comparisons with other tools: contenders take turns, every answer is compared, and the results of
a machine are in two files."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]

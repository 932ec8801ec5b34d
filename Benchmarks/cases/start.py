"""The start-up time of commands, on a file of ten rows, and the size of the command."""

import os

from harness.command import Limit, workplace
from harness.command import run as run_command
from harness.race import Measured, Race, figure, table
from harness.results import Goal, Report

from . import export
from .rivals import TOOLS, installed


def run(options):
    rounds = options.rounds_or(5, 60)
    with workplace(options.scratch) as place:
        data = export.make(place, 10, 0)
        check = [options.command, "check", data.path, "--rules", data.rules, "--quiet"]
        assay = Race("ten rows", 1, 0)
        assay.add("assay check", lambda: Measured(0, run_command(check)))
        assay.run(rounds)
        tools = Race("ten rows", 1, 0)
        for tool in installed(TOOLS)[0]:
            tools.add(tool.name, lambda tool=tool: tool.run(place, data, 2, Limit(seconds=60)))
        # Three rounds suffice for the other tools, which take up to two seconds.
        tools.run(min(rounds, 3))
    size = os.path.getsize(options.command) / 1e6
    lines = [
        [one.name, one.wall * 1e3, one.median * 1e3, one.peak_megabytes] for one in assay.contenders + tools.contenders
    ]
    return Report(
        f"""Commands from start to exit on an export of ten rows with ten rules; milliseconds on the clock. The command
        `assay` is one file of {figure(size)} MB.""",
        [table("command|best ms|median ms|peak MB", lines)],
        [
            Goal("assay check on ten rows, median", assay["assay check"].median * 1e3, at_most=15, unit=" ms"),
            Goal("size of the command", size, at_most=25, unit=" MB"),
        ],
        [assay, tools],
    )

#!/usr/bin/env python3
"""Records a command in a terminal as an animated SVG, one file for light and one for dark pages.

    python3 Tools/record-terminal.py --output Docs/clean -- assay clean users.csv --rules users.rules.yaml

writes Docs/clean-light.svg and Docs/clean-dark.svg. The animation shows the prompt, the command as it is typed, each
state of the terminal (at most ten a second) at its own time, and the last state for three seconds; then it repeats. A
reader who prefers reduced motion sees the last state.

The command runs in a pseudo-terminal of 120 columns. The recorder understands the control sequences that `assay`
writes: carriage return, line feed, erasing to the end of a line, and colors. It exits with 1 if the command fails with
another status than `--status`, or writes another sequence. Only the standard library is used.
"""

import argparse
import codecs
import fcntl
import html
import os
import pty
import re
import select
import shlex
import struct
import sys
import termios
import time

WIDTH, FONT, CELL, LINE, MARGIN = 120, 14, 8.43, 20, 16
# Seconds: between two typed characters, before the command starts, between two frames, and of the last frame.
TYPING, PAUSE, FRAME, END = 0.03, 0.4, 0.1, 3.0

THEMES = {
    "light": {"background": "#ffffff", "border": "#d0d7de", "text": "#1f2328", "dim": "#59636e", "1": "#1f2328",
              "31": "#cf222e", "32": "#1a7f37", "33": "#9a6700", "34": "#0969da", "35": "#8250df", "36": "#1b7c83"},
    "dark": {"background": "#0d1117", "border": "#3d444d", "text": "#f0f6fc", "dim": "#9198a1", "1": "#f0f6fc",
             "31": "#ff7b72", "32": "#3fb950", "33": "#d29922", "34": "#58a6ff", "35": "#bc8cff", "36": "#39c5cf"},
}
# SVG collapses runs of other spaces.
NO_BREAK_SPACE = "\u00a0"
SEQUENCE = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])")


class Screen:
    """The lines of a terminal. A cell is a character and its style, a set of SGR parameters."""

    def __init__(self):
        self.lines, self.column, self.style = [[]], 0, ()
        self.rest = ""

    def feed(self, text):
        text, self.rest = self.rest + text, ""
        at = 0
        while at < len(text):
            character = text[at]
            if character == "\x1b":
                match = SEQUENCE.match(text, at)
                if not match:
                    if len(text) - at < 16:
                        self.rest = text[at:]
                        return
                    sys.exit(f"record-terminal: unknown sequence {text[at:at + 8]!r}")
                self.control(match[1], match[2])
                at = match.end()
                continue
            at += 1
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self.lines.append([])
                self.column = 0
            else:
                line = self.lines[-1]
                line.extend([(" ", ())] * (self.column + 1 - len(line)))
                line[self.column] = (character, self.style)
                self.column += 1

    def control(self, parameters, letter):
        if letter == "K" and parameters in ("", "0"):
            del self.lines[-1][self.column:]
        elif letter == "m":
            for parameter in parameters.split(";"):
                self.style = () if parameter in ("", "0") else (*self.style, parameter)
        else:
            sys.exit(f"record-terminal: unknown sequence ESC [ {parameters} {letter}")

    def snapshot(self):
        return tuple(tuple(line) for line in self.lines)


def record(command, status):
    """Runs the command in a pseudo-terminal. Returns the states of the screen with their times in seconds."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, WIDTH, 0, 0))
    screen, decoder = Screen(), codecs.getincrementaldecoder("utf-8")()
    start, frames = time.monotonic(), []
    while True:
        select.select([terminal], [], [])
        try:
            data = os.read(terminal, 65536)
        except OSError:  # the end of the command, on Linux
            data = b""
        now = time.monotonic() - start
        if data:
            screen.feed(decoder.decode(data))
        state = screen.snapshot()
        if frames and (now - frames[-1][0] < FRAME / 2 or frames[-1][1] == state):
            frames[-1] = (frames[-1][0], state)
        else:
            frames.append((now, state))
        if not data:
            break
    ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if ended != status:
        sys.exit(f"record-terminal: the command ended with status {ended} instead of {status}")
    return frames


def with_typing(shown, frames):
    """Puts frames before those of the command, in which the command line is typed."""
    prompt = tuple(("$ " + shown)[i:i + 1] for i in range(len(shown) + 2))
    typed = [(TYPING * count, (tuple((c, ("dim",) if i < 2 else ()) for i, c in enumerate(prompt[:count + 2])),))
             for count in range(0, len(shown) + 1, 2)]
    line = tuple((c, ("dim",) if i < 2 else ()) for i, c in enumerate(prompt))
    start = TYPING * len(shown) + PAUSE
    return [*typed, (TYPING * len(shown), (line,)), *((start + at, (line, *state)) for at, state in frames)]


def color(style, theme):
    for parameter in reversed(style):
        if parameter in ("2", "dim"):
            return theme["dim"]
        if parameter in theme:
            return theme[parameter]
    return theme["text"]


def spans(line, theme):
    """Returns a line as SVG text: one element for each run of cells with one style, without spaces at its ends."""
    parts, at = [], 0
    while at < len(line):
        end = at
        while end < len(line) and line[end][1] == line[at][1]:
            end += 1
        text = "".join(character for character, _ in line[at:end])
        # Some programs leave out spaces at the start of a span, even spaces that do not break.
        at += len(text) - len(text.lstrip())
        text = text.strip()
        if text:
            style = line[at][1]
            weight = ' font-weight="bold"' if "1" in style else ""
            shown = html.escape(text).replace(" ", NO_BREAK_SPACE)
            parts.append(f'<tspan x="{MARGIN + at * CELL:.1f}" textLength="{len(text) * CELL:.1f}" '
                         f'fill="{color(style, theme)}"{weight}>{shown}</tspan>')
        at = end
    return "".join(parts)


def svg(frames, theme, title):
    height = max(len(state) for _, state in frames) * LINE + 2 * MARGIN
    width = WIDTH * CELL + 2 * MARGIN
    total = frames[-1][0] + END
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
           f'viewBox="0 0 {width:.0f} {height}" font-size="{FONT}" role="img" '
           'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace">',
           f"<title>{html.escape(title)}</title>", "<style>g{visibility:hidden}g:last-of-type{visibility:visible}"
           "@media (prefers-reduced-motion: no-preference){g,g:last-of-type{visibility:hidden}"]
    for number, (at, _) in enumerate(frames):
        until = frames[number + 1][0] if number + 1 < len(frames) else total
        first, last = 100 * at / total, 100 * until / total
        steps = [f"{first:.3f}%{{visibility:visible}}", f"{last:.3f}%{{visibility:hidden}}"]
        if number == len(frames) - 1:
            steps[1] = "100%{visibility:visible}"
        if first > 0:
            steps.insert(0, "0%{visibility:hidden}")
        out.append(f"@keyframes f{number}{{{''.join(steps)}}}"
                   f"#f{number}{{animation:f{number} {total:.2f}s step-end infinite}}")
    out.append("}</style>")
    out.append(f'<rect x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1}" rx="8" '
               f'fill="{theme["background"]}" stroke="{theme["border"]}"/>')
    for number, (_, state) in enumerate(frames):
        lines = (f'<text y="{MARGIN + LINE * row + FONT}">{spans(line, theme)}</text>'
                 for row, line in enumerate(state) if line)
        out.append(f'<g id="f{number}">{"".join(lines)}</g>')
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", required=True, help="the start of the names of the files")
    parser.add_argument("--shown", help="the command line to show, if it differs from the command")
    parser.add_argument("--status", type=int, default=0, help="the expected exit status")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    shown = options.shown or shlex.join(options.command)
    frames = with_typing(shown, record(options.command, options.status))
    for name, theme in THEMES.items():
        with open(f"{options.output}-{name}.svg", "w", encoding="utf-8") as file:
            file.write(svg(frames, theme, f"A terminal in which `{shown}` runs"))
    print(f"{len(frames)} states, {frames[-1][0]:.1f} seconds")


if __name__ == "__main__":
    main()

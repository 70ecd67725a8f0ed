"""Reads what the reporter `jsonlines` has written (docs/plugins/jsonlines.md)."""

from __future__ import annotations

import glob
import os
import re
from dataclasses import dataclass
from typing import Any

from tally.library import Path
from tally.lines import Reader, attributes, member

_NAMES = ("run", "session", "instance", "plugin", "n", "t_us", "time")


@dataclass(frozen=True)
class Output:
    """A line; what its kind does not have is None."""

    line: str  # record, beacon, event, session_begin, session_end, run_begin, run_end or gap
    run: str | None
    session: int | None
    instance: str | None
    plugin: str | None
    n: int | None
    time_us: int | None
    time: str | None  # the wall clock, in UTC
    kind: str | None  # of a record; an event has its name here
    attributes: dict[str, Any]
    fields: dict[str, Any]  # all that the line has


def read(path: Path, *, rotated: bool = True, skip_damaged: bool = False) -> Reader[Output]:
    """The lines of a file, after those of the finished ones that rotation has put aside for it.

    Damaged and cut lines are treated as in `tally.archive.read`.
    """
    file = os.fsdecode(path)
    return Reader((_finished(file) if rotated else []) + [file], _parse, skip_damaged)


def _finished(file: str) -> list[str]:
    found: dict[int, str] = {}
    for name in glob.glob(glob.escape(file) + ".*"):
        match = re.fullmatch(r"\.(\d{6,})(\.gz|\.zst)?", name[len(file) :])
        if match:
            # For a moment a file is there twice, plain and compressed, with the same lines.
            found[int(match[1])] = name
    return [found[number] for number in sorted(found)]


def _parse(line: dict[str, Any]) -> Output:
    run, session, instance, plugin, n, time_us, time = (line.get(name) for name in _NAMES)
    kind = line.get("kind", line.get("type"))
    what = member(line, "line", str)
    return Output(what, run, session, instance, plugin, n, time_us, time, kind, attributes(line), line)

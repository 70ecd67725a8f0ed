"""Reads archives: what was told of a player, as it was recorded (docs/archive-format.md).

Lines come in the order of the file, which may mix runs; neither gaps in their numbers nor lines of runs without a header
are told. `tally-replay` does that.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Union

from tally.library import Path, TallyError
from tally.lines import DamagedLine, Reader, attributes, member

__all__ = ["DamagedLine", "End", "Event", "Line", "Mark", "Run", "read"]

# The newest format that is understood here.
FORMAT = 1
_LONGEST = 1 << 20


@dataclass(frozen=True)
class Run:
    """The header of a run."""

    run: str
    n: int
    epoch_us: int  # wall clock at the run's time 0, microseconds since 1970
    semantics: int  # the rules of time, order and state that the run followed
    core: str  # the version of the core, for people
    trackers: tuple[dict[str, Any], ...]
    header: dict[str, Any]  # all that it has


@dataclass(frozen=True)
class Event:
    """What happened, and the state of which it was told."""

    run: str
    n: int
    time_us: int
    event: str
    session: int | None  # its number, from 1; None outside one and in samples
    flags: tuple[str, ...]
    state: dict[str, Any]
    attributes: dict[str, Any]


@dataclass(frozen=True)
class Mark:
    """The run had come this far without an event."""

    run: str
    n: int
    time_us: int


@dataclass(frozen=True)
class End:
    """The run is over: `drained`, `cancelled`, or by a `crash`; so many events were dropped."""

    run: str
    n: int
    time_us: int
    end: str
    dropped: int
    cause: str | None


Line = Union[Run, Event, Mark, End]


def read(path: Path, *, skip_damaged: bool = False) -> Reader[Line]:
    """The lines of an archive, plain, `.gz` or `.zst`.

    A damaged line raises `DamagedLine`, or is skipped and counted in `damaged`. `incomplete` says in the end whether the
    last one was cut off.
    """
    return Reader([os.fsdecode(path)], _parse, skip_damaged, _LONGEST)


def _parse(line: dict[str, Any]) -> Line | None:
    run, n = member(line, "run", str), member(line, "n", int)
    if not 0 < len(run.encode()) <= 64 or n < 0:
        raise ValueError("'run' or 'n' is out of range")
    if "tally" in line:
        header = member(line, "tally", dict)
        made = member(header, "format", int)
        if made > FORMAT:
            raise TallyError(TallyError.NEWER, f"the run {run} has the format {made}, and this package knows {FORMAT}")
        rules, trackers = member(header, "semantics", int), tuple(member(header, "trackers", list, []))
        return Run(run, n, member(header, "epoch_us", int), rules, member(header, "core", str, ""), trackers, header)
    time = member(line, "t_us", int)
    if time < 0:
        raise ValueError("'t_us' is below 0")
    if "event" in line:
        session = member(line, "session", int) if "session" in line else None
        name, state, flags = member(line, "event", str), member(line, "state", dict, {}), member(line, "flags", list, [])
        return Event(run, n, time, name, session, tuple(flags), state, attributes(line))
    if "end" in line:
        return End(run, n, time, member(line, "end", str), member(line, "dropped", int, 0), line.get("cause"))
    return Mark(run, n, time) if "mark" in line else None

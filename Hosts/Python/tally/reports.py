"""What Tally has to say to the player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from tally.library import RawReport


@dataclass(frozen=True)
class SessionReport:
    """A session's outputs were delivered, or the time for that has passed; once a session."""

    run: str
    session: int  # its number in the run, from 1
    delivered: int  # outputs that reporters sent
    kept: int  # outputs that they keep for later
    dropped: int  # outputs that were lost
    timed_out: bool  # whether a reporter had not answered in time


@dataclass(frozen=True)
class TrackerError:
    """A tracker met an error that concerns the player."""

    run: str
    plugin: str
    code: str
    message: str
    details: str


@dataclass(frozen=True)
class LogLine:
    """A log line of Tally's or, where `plugin` is not empty, of that plugin's."""

    level: str  # debug, info, warning or error
    plugin: str
    message: str


@dataclass(frozen=True)
class MissedReports:
    """So many reports were dropped, as nobody fetched them."""

    count: int


Report = Union[SessionReport, TrackerError, LogLine, MissedReports]

_LEVELS = ("debug", "info", "warning", "error")


def read(raw: RawReport) -> Report | None:
    """A report of the library's; None for a kind that came later than this package."""
    if raw.kind == 1:
        return SessionReport(_text(raw.run), raw.session, raw.delivered, raw.kept, raw.dropped, raw.timed_out != 0)
    if raw.kind == 2:
        return TrackerError(*map(_text, (raw.run, raw.plugin, raw.code, raw.message, raw.details)))
    if raw.kind == 3:
        return LogLine(_LEVELS[min(max(raw.level, 0), 3)], _text(raw.plugin), _text(raw.message))
    return MissedReports(raw.dropped) if raw.kind == 4 else None


def _text(text: bytes | None) -> str:
    return (text or b"").decode(errors="replace")

"""What one player does, told call by call."""

from __future__ import annotations

import ctypes
import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any, Callable, Union

from tally.library import Attribute, PlayerState, RunSummary, text_bytes, utf8

if TYPE_CHECKING:
    from tally.telemetry import Telemetry

# What an attribute may be; None says nothing, as if the attribute were not there.
Value = Union[str, int, float, bool, None]
# What a member of the state may be; None says that it is not known any more.
Member = Union[int, float, bool, tuple[int, int], None]

_EVENTS: dict[str, bytes] = {
    name: name.encode()
    for name in (
        "video_load video_unload play first_frame pause complete seek_start seek_complete buffer_start buffer_complete "
        "ad_break_start ad_break_complete ad_start ad_complete ad_skip ad_click ad_quartile ad_error chapter_start "
        "chapter_complete chapter_skip rendition_change quality_sample playhead_sample request_completed request_failed "
        "request_cancelled player_error application_error player_ready metadata_change custom application_launched "
        "application_terminated application_foreground application_background interruption_start interruption_end consent"
    ).split()
}
_SUBJECTS = ("video", "ad_break", "ad", "chapter", "quality")
# The fields behind each member of the state, in the order of their bits.
_MEMBERS: dict[str, tuple[str, ...]] = {
    **{name: (name,) for name in ("playhead_ms", "ad_playhead_ms", "duration_ms", "live_wall_ms", "bitrate")},
    **{name: (name,) for name in ("throughput", "dropped_frames", "rendered_frames", "rate", "volume", "frame_rate")},
    "size": ("width", "height"),
    "player_size": ("player_width", "player_height"),
    **{name: ("is_" + name,) for name in ("muted", "fullscreen", "live", "audio_only")},
}
_BITS = {name: 1 << bit for bit, name in enumerate(_MEMBERS)}
_FRACTIONS = ("rate", "volume", "frame_rate")
_UNKNOWN_EVENT, _NO_RUN = -3, -4
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1


class Tracked(int):
    """What became of a track call, as the number that C gives."""

    @property
    def queued(self) -> bool:
        """Whether the event is on its way, be it without some of its attributes."""
        return self >= 0

    @property
    def left_out(self) -> int:
        """How many attributes it goes without, as they break a limit."""
        return max(int(self), 0)

    @property
    def refused(self) -> bool:
        """Whether the event is lost as the queue is full."""
        return self == -1

    @property
    def ended(self) -> bool:
        """Whether the run or the process is over, or the process is a copy."""
        return self == -2

    def __repr__(self) -> str:
        names = {0: "queued", -1: "refused", -2: "ended"}
        return f"<Tracked: {names.get(int(self)) or f'queued, {self.left_out} attributes left out'}>"


_RESULTS = {0: Tracked(0), -1: Tracked(-1), -2: Tracked(-2), _NO_RUN: Tracked(-2)}


@dataclass(frozen=True)
class Summary:
    """What became of a run."""

    in_time: bool  # whether the reporters delivered within the limit
    dropped_events: int  # track calls that were dropped at the end
    dropped_outputs: int  # outputs of this run that were dropped at the end


def _teller(event: str, meaning: str) -> Callable[[Run], Tracked]:
    def tell(run: Run) -> Tracked:
        return run.track(event)

    tell.__doc__ = meaning
    return tell


class Run:
    """One player, from its making to its end; made by `Telemetry.run`, and ended where its `with` is left.

    All of it may be called from any thread, and waits for nothing but `end`. A run that nobody holds any more goes on
    until the telemetry is closed.
    """

    def __init__(self, telemetry: Telemetry, handle: int, end_limit_ms: int) -> None:
        self._telemetry = telemetry
        self._library = library = telemetry._library
        self._handle: int | None = handle
        self._process = os.getpid()
        self._end_limit_ms = end_limit_ms
        self._track, self._track_playhead = library.tally_track, library.tally_track_playhead
        # What the archive, records and beacons call the run.
        self.id: str = library.tally_run_id(handle).decode()
        archive = library.tally_run_archive(handle)
        # The file that it is recorded to; None when it is not recorded.
        self.archive: str | None = None if archive is None else os.fsdecode(archive)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def __del__(self) -> None:
        # Freed here and not at the end, as no other thread can be within a call then.
        handle, self._handle = getattr(self, "_handle", None), None
        if handle is not None and os.getpid() == self._process:
            self._library.tally_run_end(handle, 500, None)
            self._library.tally_run_free(handle)

    def end(self, limit_ms: int | None = None) -> Summary:
        """Ends the run: what was tracked is handled, an open session ends, reporters get the limit to deliver.

        Below 0 all that waits is dropped instead. Later calls change nothing, and give the same summary.
        """
        summary = RunSummary()
        limit = self._end_limit_ms if limit_ms is None else limit_ms
        self._library.tally_run_end(self._handle, limit, ctypes.byref(summary))
        self._telemetry._ended(self)
        return Summary(summary.in_time != 0, summary.dropped_events, summary.dropped_outputs)

    @property
    def time_us(self) -> int:
        """Microseconds since the run began."""
        return int(self._library.tally_run_time(self._handle))

    def state(self, /, **members: Member) -> None:
        """Says members of the state, which stay until they are said anew, and go with each event; None forgets one.

        playhead_ms, ad_playhead_ms, duration_ms, live_wall_ms, bitrate, throughput, dropped_frames, rendered_frames, rate,
        volume, frame_rate, size and player_size (pairs), muted, fullscreen, live, audio_only.
        """
        said, forgotten = PlayerState(), 0
        for name, value in members.items():
            bit = _BITS.get(name)
            if bit is None:
                raise ValueError(f"the state has no '{name}'; there are {', '.join(_MEMBERS)}")
            if value is None:
                forgotten |= bit
                continue
            said.known |= bit
            fields = _MEMBERS[name]
            values: tuple[Any, ...] = value if isinstance(value, tuple) else (value,)
            if len(fields) != len(values):
                raise TypeError(f"{name} takes {'a pair' if len(fields) == 2 else 'a number'}, not {value!r}")
            for field, one in zip(fields, values):
                # ctypes would cut what is too large for a field.
                kept = float(one) if name in _FRACTIONS else bool(one) if field[:3] == "is_" else index(one)
                setattr(said, field, kept)
                if isinstance(kept, int) and getattr(said, field) != kept:
                    raise ValueError(f"{name}: {one} is out of range")
        if forgotten:
            self._library.tally_run_forget(self._handle, forgotten)
        self._library.tally_run_set_state(self._handle, ctypes.byref(said))

    def forget(self, *names: str) -> None:
        """Says of members of the state that they are not known any more."""
        self.state(**dict.fromkeys(names))

    def info(self, subject: str, /, **attributes: Value) -> int:
        """Says what is known of a subject from now on, in place of what was said of it before.

        Gives the number of attributes that are left out.
        """
        if subject not in _SUBJECTS:
            raise ValueError(f"'{subject}' is no subject; there are {', '.join(_SUBJECTS)}")
        array, count = attribute_array(attributes)
        return int(self._library.tally_run_set_info(self._handle, _SUBJECTS.index(subject), array, count))

    def track(self, event: str, attributes: Mapping[str, Value] | None = None) -> Tracked:
        """Tells that something happened, by its name in the data model."""
        name = _EVENTS.get(event) or text_bytes(event)
        array, count = attribute_array(attributes) if attributes else (None, 0)
        code = self._track(self._handle, name, array, count)
        if code == _UNKNOWN_EVENT:
            near = difflib.get_close_matches(event, _EVENTS, 1)
            raise ValueError(f"no player's event is called '{event}'" + (f"; is it '{near[0]}'?" if near else ""))
        return result(code)

    def playhead(self, playhead_ms: int) -> Tracked:
        """Where playback stands: to be called every 250 ms while it goes on."""
        place = index(playhead_ms)
        if not _LEAST <= place <= _MOST:
            raise ValueError(f"{place} is out of range")
        return result(self._track_playhead(self._handle, place))

    def load(self, /, **video: Value) -> Tracked:
        """The main asset is being loaded, and a session begins; with attributes, that is what is known of the video."""
        if video:
            self.info("video", **video)
        return self.track("video_load")

    unload = _teller("video_unload", "The main asset is gone: the session ends.")
    play = _teller("play", "Playback is to start or to go on.")
    first_frame = _teller("first_frame", "The main content plays: its first frame moves, or its sound is heard.")
    pause = _teller("pause", "Playback is paused on purpose.")
    complete = _teller("complete", "The main content has played to its end.")
    seeked = _teller("seek_complete", "Playback stands at the seek's target.")
    buffered = _teller("buffer_complete", "Enough data is there again.")
    quality = _teller("quality_sample", "A sample of the quality, with the state and what is known of it.")

    def seek(self, from_ms: int | None = None, to_ms: int | None = None) -> Tracked:
        """A seek begins, between places that may be unknown."""
        return self.track("seek_start", {"seek_from_ms": from_ms, "seek_to_ms": to_ms})

    def buffering(self, cause: str | None = None) -> Tracked:
        """Playback waits for data: "initial", "seek" or "stall"; None when the cause is not known."""
        return self.track("buffer_start", {"buffer_cause": cause})

    def metadata(self, /, **attributes: Value) -> Tracked:
        """What is known of the main asset changed, or the application adds to it."""
        return self.track("metadata_change", attributes)

    def error(self, id: str, /, message: str | None = None, fatal: bool = False, **attributes: Value) -> Tracked:
        """The player met an error with this identifier."""
        said: dict[str, Value] = {"error_id": id, "error_fatal": bool(fatal), "error_message": message}
        return self.track("player_error", {**said, **attributes})

    def consent(self, state: str, tracker: str | None = None) -> Tracked:
        """The viewer's consent, "in", "out" or "pending", for one tracker or for all."""
        return self.track("consent", {"consent_scope": tracker or "all", "consent_state": state})

    def custom(self, name: str, /, **attributes: Value) -> Tracked:
        """An event of the application's own."""
        return self.track("custom", {"custom_name": name, **attributes})


def result(code: int) -> Tracked:
    return _RESULTS[code] if code in _RESULTS else Tracked(code)


def attribute_array(values: Mapping[str, Value]) -> tuple[Any, int]:
    """Attributes as C takes them, and how many."""
    known = [(name, value) for name, value in values.items() if value is not None]
    array = (Attribute * len(known))()
    for attribute, (name, value) in zip(array, known):
        attribute.name = text_bytes(name)
        if isinstance(value, str):
            text = utf8(value)
            attribute.kind, attribute.length, attribute.value.text = 1, len(text), text
        elif isinstance(value, bool):
            attribute.kind, attribute.value.truth = 4, value
        elif isinstance(value, float):
            attribute.kind, attribute.value.number = 3, value
        elif hasattr(value, "__index__"):
            number = index(value)
            if _LEAST <= number <= _MOST:
                attribute.kind, attribute.value.integer = 2, number
            else:
                # Beyond 2^53 numbers are doubles in any case.
                attribute.kind, attribute.value.number = 3, float(number)
        else:
            raise TypeError(f"the attribute '{name}' is a {type(value).__name__}; it may be a text, a number or a bool")
    return array, len(known)

"""What a player says of itself, signal by signal."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from tally.library import TallyError, text_bytes
from tally.runs import Tracked, Value, attribute_array, result

if TYPE_CHECKING:
    from tally.telemetry import Telemetry

_UNKNOWN_SIGNAL = -3
_WRONG_ATTRIBUTES = -5


class Adapter:
    """A run of a player whose signals become track calls; made by `Telemetry.adapter`, ended where its `with` is left.

    Signals come in the order in which they happened, from any thread, and wait for nothing.
    """

    def __init__(self, telemetry: Telemetry, handle: int, end_limit_ms: int) -> None:
        self._telemetry = telemetry
        self._library = library = telemetry._library
        self._handle: int | None = handle
        self._process = os.getpid()
        self._end_limit_ms = end_limit_ms
        run = library.tally_adapter_run(handle)
        # What the archive, records and beacons call the run.
        self.id: str = library.tally_run_id(run).decode()
        archive = library.tally_run_archive(run)
        # The file that it is recorded to; None when it is not recorded.
        self.archive: str | None = None if archive is None else os.fsdecode(archive)

    def __enter__(self) -> Adapter:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None and os.getpid() == self._process:
            self._free(500)

    def signal(self, name: str, /, time_ns: int | None = None, **attributes: Value) -> Tracked:
        """Tells what the player said; time_ns is when, as `time.monotonic_ns()` gave it then, and now unless given.

        The page "Signals" lists them with their attributes. ValueError says that there is no such signal, or that it came
        without an attribute that it has to have, or with one of another kind.
        """
        if os.getpid() != self._process:
            return Tracked(-2)
        with self._telemetry._using():
            if self._handle is None:
                raise TallyError(TallyError.ENDED, "the adapter has ended")
            array, count = attribute_array(attributes)
            when = time.monotonic_ns() if time_ns is None else time_ns
            code = self._library.tally_signal(self._handle, when, text_bytes(name), array, count)
        if code == _UNKNOWN_SIGNAL:
            raise ValueError(f"there is no signal '{name}'; the page 'Signals' lists them")
        if code == _WRONG_ATTRIBUTES:
            raise ValueError(
                f"the signal '{name}' was left out: an attribute is missing or of another kind; the log says which,"
                " and the page 'Signals' lists them"
            )
        # Otherwise it is the number of track calls that the signal came to.
        return result(min(code, 0))

    def track(self, event: str, /, **attributes: Value) -> Tracked:
        """Tells of something that no signal says, by its name in the data model, such as an ad or an event of your own."""
        with self._telemetry._using():
            if self._handle is None:
                raise TallyError(TallyError.ENDED, "the adapter has ended")
            array, count = attribute_array(attributes)
            run = self._library.tally_adapter_run(self._handle)
            code = self._library.tally_track(run, text_bytes(event), array, count)
        if code == _UNKNOWN_SIGNAL:
            raise ValueError(f"no player's event is called '{event}'")
        return result(code)

    def end(self, limit_ms: int | None = None) -> None:
        """Ends the session and the run; reporters get the limit to deliver. A second call changes nothing."""
        self._free(self._end_limit_ms if limit_ms is None else limit_ms)
        self._telemetry._ended(self)

    def _free(self, limit_ms: int) -> None:
        handle, self._handle = self._handle, None
        if handle is not None and os.getpid() == self._process:
            self._library.tally_adapter_free(handle, limit_ms)

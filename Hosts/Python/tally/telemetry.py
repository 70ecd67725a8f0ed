"""The plugins of a process, configured: where runs begin."""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import threading
import warnings
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Callable

from tally import reports
from tally.adapters import Adapter
from tally.library import (
    LOG_REPORTS,
    NO_RECOVERY,
    VERBOSE,
    Failure,
    Library,
    Options,
    Path,
    RawReport,
    RunOptions,
    TallyError,
    path_bytes,
    text_bytes,
)
from tally.reports import LogLine, MissedReports, Report
from tally.runs import Run, Value, attribute_array

# So many reports are kept that were fetched with log lines, and not asked for; as many as the library keeps.
_KEPT = 1_000


def open(
    *,
    configuration: Path | None = None,
    plugins: str | Sequence[str] | None = None,
    plugin_folders: Sequence[Path] = (),
    settings: Mapping[str, Any] | None = None,
    archive: Path | None = None,
    store: Path | None = None,
    control: Path | None = None,
    claim: str | None = None,
    log: Callable[[LogLine], None] | None = None,
    verbose: bool = False,
    recover: bool = True,
    library: Path | None = None,
) -> Telemetry:
    """Finds, loads and configures plugins; takes some 10 to 100 ms.

    configuration: a file tally.json5; plugins: which of its instances run, or plugins by name; plugin_folders: where
    they are looked for first; settings: keys of the configuration with values, a text stays one; archive: the folder
    that runs are recorded into, made when its name ends in a slash; store: the file of trackers' persistent values;
    control: a Unix socket that takes commands; claim: a word that may be open once in a process; log: takes log lines
    when reports are fetched, without it warnings go to standard error; library: the file of libtally.
    """
    functions = Library(library)
    options, error = Options(), Failure()
    options.flags = (LOG_REPORTS if log else 0) | (VERBOSE if verbose else 0) | (0 if recover else NO_RECOVERY)
    options.configuration, options.archive = path_bytes(configuration), path_bytes(archive)
    options.store, options.control = path_bytes(store), path_bytes(control)
    if plugins is not None:
        options.plugins = text_bytes(plugins if isinstance(plugins, str) else ",".join(plugins))
    if claim is not None:
        options.claim = text_bytes(claim)
    if isinstance(plugin_folders, (str, bytes)):
        raise TypeError("plugin_folders is a list of folders")
    folders = [path_bytes(folder) for folder in plugin_folders]
    options.plugin_folders, options.plugin_folder_count = (ctypes.c_char_p * len(folders))(*folders), len(folders)
    # Texts are encoded as well: "12" would be read as a number otherwise.
    if settings is not None and not hasattr(settings, "items"):
        raise TypeError(f"settings is a {type(settings).__name__}; give a dict, such as {{'recover': False}}")
    pairs = [text_bytes(f"{key}={json.dumps(value)}") for key, value in (settings or {}).items()]
    options.settings, options.setting_count = (ctypes.c_char_p * len(pairs))(*pairs), len(pairs)
    handle = functions.tally_open(ctypes.byref(options), ctypes.byref(error))
    if handle is None:
        raise error.error()
    return Telemetry(functions, handle, log)


def _run_options(archive: Path | None, begun_ns: int | None) -> RunOptions:
    options = RunOptions()
    options.archive, options.begun_ns = path_bytes(archive), begun_ns or 0
    return options


class Telemetry:
    """Made by `tally.open`, and closed where its `with` is left. All of it may be called from any thread."""

    def __init__(self, library: Library, handle: int, log: Callable[[LogLine], None] | None) -> None:
        self._library = library
        self._handle: int | None = handle
        self._process = os.getpid()
        self._log = log
        self._is_closed = False
        # How many calls use the handle, which is not to be freed meanwhile.
        self._users = 0
        self._changed = threading.Condition()
        self._fetching = threading.Lock()
        self._kept: deque[Report] = deque()
        self._lines: deque[LogLine] = deque()
        self._runs: set[Run | Adapter] = set()
        self._wakers: set[Callable[[], object]] = set()

    def __enter__(self) -> Telemetry:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None and not self._is_copy:
            warnings.warn("a telemetry was not closed", ResourceWarning, source=self)
            self.close(500)

    @property
    def version(self) -> str:
        """The version of the library."""
        return str(self._library.tally_version().decode())

    def run(self, archive: Path | None = None, *, end_limit_ms: int = 10_000, begun_ns: int | None = None) -> Run:
        """Begins a run, one for each player: recorded to this file or to one in the folder; takes some ms.

        Reporters may deliver for so long as its `with` is left. begun_ns: when it began, as `time.monotonic_ns()` gave
        it then, at most an hour ago.
        """
        options, error = _run_options(archive, begun_ns), Failure()
        with self._using() as handle:
            started = self._library.tally_run_start(handle, ctypes.byref(options), ctypes.byref(error))
            if started is None:
                raise error.error()
            run = Run(self, started, end_limit_ms)
            self._runs.add(run)
            return run

    def adapter(
        self,
        archive: Path | None = None,
        *,
        end_limit_ms: int = 10_000,
        begun_ns: int | None = None,
        **player: Value,
    ) -> Adapter:
        """Begins a run that is told by signals: what happens, of which Tally makes what it means.

        player: what is known of the player, such as player_name and player_version; the rest is as for `run`.
        """
        options, error = _run_options(archive, begun_ns), Failure()
        array, count = attribute_array(player)
        with self._using() as handle:
            started = self._library.tally_adapter_start(handle, ctypes.byref(options), array, count, ctypes.byref(error))
            if started is None:
                raise error.error()
            adapter = Adapter(self, started, end_limit_ms)
            self._runs.add(adapter)
            return adapter

    def close(self, limit_ms: int = 10_000) -> int:
        """Ends the runs that go on and the reporters, and gives the number of those that were not done in time.

        Reports that have come can still be had.
        """
        if self._is_copy:
            return 0
        for run in list(self._runs):
            run.end(limit_ms)
        with self._changed:
            handle, self._handle = self._handle, None
            self._changed.wait_for(lambda: self._users == 0)
        if handle is None:
            return 0
        self._fetch(handle)
        late: int = self._library.tally_close(handle, limit_ms)
        self._is_closed = True
        self._wake()
        self._tell()
        return late

    def poll(self) -> None:
        """Fetches what has come: hands log lines to `log`, and keeps the rest for `reports`."""
        if self._is_copy:
            return
        with self._using() as handle:
            self._fetch(handle)
        if self._kept:
            self._wake()
        self._tell()

    def reports(self) -> Iterator[Report]:
        """What has come, oldest first; ends when there is no more."""
        if not self._is_copy:
            # After the close there are those that had come until then.
            with suppress(TallyError), self._using() as handle:
                self._fetch(handle)
            self._tell()
            while self._kept:
                yield self._kept.popleft()

    async def reports_async(self) -> AsyncIterator[Report]:
        """What comes, until the telemetry is closed."""
        loop, wake = asyncio.get_running_loop(), asyncio.Event()
        # A copy, since the telemetry may be closed by another thread while the loop watches.
        descriptor = os.dup(self.report_descriptor)

        def waker() -> None:
            loop.call_soon_threadsafe(wake.set)

        self._wakers.add(waker)
        try:
            while True:
                wake.clear()
                is_last = self._is_closed
                for report in self.reports():
                    yield report
                if is_last:
                    return
                # Watched only while nobody reads: a descriptor that stays readable would keep the loop busy.
                loop.add_reader(descriptor, wake.set)
                try:
                    await wake.wait()
                finally:
                    loop.remove_reader(descriptor)
        finally:
            self._wakers.discard(waker)
            os.close(descriptor)

    @property
    def report_descriptor(self) -> int:
        """A descriptor that can be read while reports wait: for event loops, never to be read from or closed.

        What `poll` has fetched is out of its sight: ask for `reports` after it, and with `log` after a run's end.
        """
        with self._using() as handle:
            return int(self._library.tally_report_descriptor(handle))

    def perform(self, command: str) -> Any:
        """Carries out a command as the control socket takes it, such as "plugin list", and gives its answer."""
        error, line = Failure(), text_bytes(command)
        with self._using() as handle:
            answer = self._library.tally_perform(handle, line, ctypes.byref(error))
        if answer is None:
            raise error.error()
        try:
            return json.loads(ctypes.string_at(answer))
        finally:
            self._library.tally_free(answer)

    def enable(self, name: str) -> bool:
        """Enables a plugin's instance, or a loaded plugin that has none; False when there was nothing to do."""
        return self._change("enable", name)

    def disable(self, name: str) -> bool:
        """Disables an instance; False when there was nothing to do."""
        return self._change("disable", name)

    def load_plugin(self, file: Path) -> bool:
        """Loads a plugin's file, whose plugins wait for `enable`; False when it is loaded already."""
        return self._change("load", os.path.abspath(os.fsdecode(file)))

    def replace_plugin(self, file: Path) -> bool:
        """Puts a newer file into the place of the loaded one; False when it is the very same."""
        return self._change("replace", os.path.abspath(os.fsdecode(file)))

    def _change(self, what: str, word: str) -> bool:
        # Quotes keep spaces.
        quote = '"' if '"' not in word else "'"
        if quote in word:
            raise ValueError(f"a command takes no word with both kinds of quotes: {word}")
        return bool(self.perform(f"plugin {what} {quote}{word}{quote}")["changed"])

    def plugins(self) -> list[dict[str, Any]]:
        """All plugins, with their states and the reasons for them."""
        return list(self.perform("plugin list")["plugins"])

    def statistics(self) -> dict[str, Any]:
        """What runs and plugins did so far."""
        return dict(self.perform("stats"))

    def erase(self) -> Any:
        """Deletes what was recorded of the run, and what reporters still keep of it."""
        return self.perform("erase")

    def recover(self, folder: Path) -> int:
        """Brings runs of a folder, or of one archive, to their end that a crash cut off; gives how many."""
        error = Failure()
        with self._using() as handle:
            count: int = self._library.tally_recover(handle, path_bytes(folder), ctypes.byref(error))
        if count < 0:
            raise error.error()
        return count

    @property
    def _is_copy(self) -> bool:
        # Asked before any lock is taken: another thread of the parent may have held it as the process was copied.
        return os.getpid() != self._process

    @contextmanager
    def _using(self) -> Iterator[int]:
        if self._is_copy:
            raise TallyError(TallyError.ENDED, "the process is a copy that fork made: nothing is tracked in it")
        with self._changed:
            handle = self._handle
            if handle is None:
                raise TallyError(TallyError.ENDED, "the telemetry is closed")
            self._users += 1
        try:
            yield handle
        finally:
            with self._changed:
                self._users -= 1
                self._changed.notify_all()

    def _ended(self, run: Run | Adapter) -> None:
        self._runs.discard(run)
        # Where nobody wants log lines, reports stay where the descriptor tells of them.
        if self._log:
            with suppress(TallyError):
                self.poll()

    def _fetch(self, handle: int) -> None:
        raw = RawReport()
        with self._fetching:
            while self._library.tally_next_report(handle, ctypes.byref(raw)):
                report = reports.read(raw)
                if isinstance(report, LogLine):
                    self._lines.append(report)
                elif report is not None:
                    self._keep(report)

    def _keep(self, report: Report) -> None:
        if len(self._kept) < _KEPT:
            self._kept.append(report)
            return
        last = self._kept.pop()
        self._kept.append(MissedReports(last.count + 1 if isinstance(last, MissedReports) else 2))

    def _wake(self) -> None:
        for waker in list(self._wakers):
            waker()

    def _tell(self) -> None:
        while self._lines and self._log:
            self._log(self._lines.popleft())

"""Tables of what was recorded, for pandas or polars: a row for each event or record."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

from tally import archive, outputs
from tally.archive import Event, Run
from tally.library import Path, TallyError
from tally.outputs import Output

_BEGIN = datetime(1970, 1, 1, tzinfo=timezone.utc)


def events(source: Path | Iterable[Path | archive.Line], *, library: str | None = None, skip_damaged: bool = False) -> Any:
    """The events of archives, or of lines that were read: state and attributes have columns `state.NAME`, `attributes.NAME`.

    A sample's state has what changed. `time` is the wall clock where the run's header was read.
    """
    epochs: dict[str, int] = {}
    rows: list[dict[str, Any]] = []
    for one in _lines(source, lambda path: archive.read(path, skip_damaged=skip_damaged)):
        if isinstance(one, Run):
            epochs[one.run] = one.epoch_us
        if isinstance(one, Event):
            epoch = epochs.get(one.run)
            time = None if epoch is None else _BEGIN + timedelta(microseconds=epoch + one.time_us)
            row = {"run": one.run, "n": one.n, "time_us": one.time_us, "time": time, "event": one.event}
            row.update(session=one.session, flags=list(one.flags))
            rows.append({**row, **_named("state", one.state), **_named("attributes", one.attributes)})
    return _table(rows, library)


def records(source: Path | Iterable[Path | Output], *, library: str | None = None, skip_damaged: bool = False) -> Any:
    """The records of files of `jsonlines`, or of lines that were read: attributes have columns `attributes.NAME`."""
    rows: list[dict[str, Any]] = []
    for one in _lines(source, lambda path: outputs.read(path, skip_damaged=skip_damaged)):
        if isinstance(one, Output) and one.line == "record":
            time = datetime.fromisoformat(one.time.replace("Z", "+00:00")) if one.time else None
            row: dict[str, Any] = {"run": one.run, "instance": one.instance, "plugin": one.plugin, "n": one.n}
            row.update(time_us=one.time_us, time=time, session=one.session, kind=one.kind)
            rows.append({**row, **_named("attributes", one.attributes)})
    return _table(rows, library)


def _lines(source: Any, read: Any) -> Iterator[Any]:
    if isinstance(source, (str, bytes, os.PathLike)):
        source = [source]
    for one in source:
        if isinstance(one, (str, bytes, os.PathLike)):
            yield from read(one)
        else:
            yield one


def _named(group: str, values: dict[str, Any]) -> dict[str, Any]:
    return {f"{group}.{name}": value for name, value in values.items()}


def _table(rows: list[dict[str, Any]], library: str | None) -> Any:
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    if library not in (None, "pandas", "polars"):
        raise ValueError(f"library is 'pandas' or 'polars', not '{library}'")
    for name in ("pandas", "polars") if library is None else (library,):
        try:
            module: Any = importlib.import_module(name)
        except ImportError:
            continue
        if name == "polars":
            return module.DataFrame(columns, strict=False)
        # Without it a count that is missing somewhere would make all of them floating.
        return module.DataFrame(columns).convert_dtypes()
    wanted = library or "pandas or polars"
    raise TallyError(TallyError.UNAVAILABLE, f"there is no {wanted}: install it with pip")

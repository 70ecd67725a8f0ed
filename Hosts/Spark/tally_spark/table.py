"""A table in Parquet, in folders by date and plugin."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from tally_spark.attempts import Attempt

# Bytes of rows that wait in memory: of one file, which are written together, and of all.
_GROUP, _WAITING = 32 << 20, 128 << 20
# Files that are written side by side.
_OPEN = 64
# Columns that have few values, or the same in neighbouring rows.
_REPETITIVE = ["line", "kind", "run", "instance", "session", "video_id"]
# How Hive, and Spark, call a folder of rows without a value.
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
_ESCAPED = set(map(chr, range(1, 32))) | set("\"#%'*/:=?\\\x7f{[]^")


class Table:
    """The files of a table that one attempt writes."""

    def __init__(self, attempt: Attempt, number: int) -> None:
        self._attempt = attempt
        self._number = number
        self._files = itertools.count()
        # By folder, the one that was written to last at the end.
        self._writers: dict[str, Any] = {}
        self._waiting: dict[str, list[Any]] = {}
        self._bytes: dict[str, int] = {}

    def add(self, batch: Any) -> None:
        """Adds the rows of a record batch; its last columns are `date` and `plugin`."""
        for folder, rows in _by_folder(batch):
            self._waiting.setdefault(folder, []).append(rows)
            self._bytes[folder] = self._bytes.get(folder, 0) + rows.nbytes
            if self._bytes[folder] >= _GROUP:
                self._write(folder)
        while sum(self._bytes.values()) >= _WAITING:
            self._write(max(self._bytes, key=lambda folder: self._bytes[folder]))

    def close(self) -> None:
        """Writes all that waits; the files are whole then."""
        for folder in list(self._waiting):
            self._write(folder)
        for writer in self._writers.values():
            writer.close()
        self._writers = {}

    def _write(self, folder: str) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        rows = pa.Table.from_batches(self._waiting.pop(folder))
        del self._bytes[folder]
        writer = self._writers.pop(folder, None)
        if writer is None:
            if len(self._writers) >= _OPEN:
                self._writers.pop(next(iter(self._writers))).close()
            path = self._attempt.file(f"{folder}/part-{self._number:05d}-{next(self._files):04d}.zstd.parquet")
            writer = pq.ParquetWriter(path, rows.schema, compression="zstd", use_dictionary=_REPETITIVE)
        self._writers[folder] = writer
        writer.write_table(rows)


def _by_folder(batch: Any) -> Iterator[tuple[str, Any]]:
    """The rows of a record batch by the folder they belong into, without what that says."""
    import pyarrow as pa
    import pyarrow.compute as pc

    dates, plugins = (pc.fill_null(batch[name].cast(pa.string()), "") for name in ("date", "plugin"))
    folders = pc.binary_join_element_wise(dates, plugins, "/").dictionary_encode()
    rows = batch.select(batch.schema.names[:-2])
    names = folders.dictionary.to_pylist()
    for number, name in enumerate(names):
        date, plugin = name.split("/", 1)
        folder = f"date={_folder_name(date)}/plugin={_folder_name(plugin)}"
        yield folder, rows if len(names) == 1 else rows.filter(pc.equal(folders.indices, number))


def _folder_name(value: str) -> str:
    """A value as it stands in a folder's name."""
    if not value:
        return _NO_VALUE
    return "".join(f"%{ord(one):02X}" if one in _ESCAPED else one for one in value)

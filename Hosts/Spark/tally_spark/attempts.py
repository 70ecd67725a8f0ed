"""Where an attempt at a shard writes, and how the files of those that count come into the output, once.

An attempt writes into a folder of its own, of which nobody knows until its shard is done. When all shards are, the driver
moves the files of those attempts into their places, and says with `_SUCCESS` that the output is whole.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tally_spark import hadoop, shards
from tally_spark.failure import CANNOT_CREATE, OUTPUT_FAILED, Failure
from tally_spark.shards import Work

# What readers of a table pass over, as they do in Spark's own outputs.
_TEMPORARY = "_temporary"


@dataclass(frozen=True)
class Place:
    """Where an output comes."""

    address: str
    # The path under which all machines have it at hand; None where only Hadoop finds it.
    path: str | None


@dataclass(frozen=True)
class Written:
    """The files that an attempt wrote."""

    folder: str
    names: tuple[str, ...]


class Attempt:
    """The files of one attempt, on a worker."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._names: list[str] = []

    def file(self, name: str) -> str:
        """Where to write a file whose place in the output is `name`."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self._names.append(name)
        return path

    def path(self, name: str) -> str:
        """Where a file lies that was written."""
        return os.path.join(self._folder, name)

    @property
    def names(self) -> tuple[str, ...]:
        """The places of all files in the output."""
        return tuple(self._names)


@contextmanager
def attempt(place: Place, number: int) -> Iterator[tuple[str, Attempt]]:
    """Lets an attempt at a shard write its files into a folder of a name of its own; `done` is to follow."""
    name = f"{number:05d}-{uuid.uuid4().hex}"
    if place.path is not None:
        yield name, Attempt(os.path.join(place.path, _TEMPORARY, name))
    else:
        with shards.folder() as here:
            yield name, Attempt(here)


def done(work: Work, place: Place, name: str, written: Attempt) -> Written:
    """Brings the files of an attempt to where the driver finds them."""
    if place.path is None:
        files = hadoop.files(work.hadoop)
        for one in written.names:
            files.put(written.path(one), f"{place.address}/{_TEMPORARY}/{name}/{one}")
    return Written(name, written.names)


class Output:
    """An output, on the driver."""

    def __init__(self, spark: Any, place: Place) -> None:
        self._paths = spark.sparkContext._jvm.org.apache.hadoop.fs.Path
        self._address = place.address
        self._system = self._paths(place.address).getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())

    def check(self) -> None:
        """Makes sure that the output can be made: its folder is not there, or nothing was committed in it."""
        path = self._paths(self._address)
        if not self._system.exists(path):
            return
        names = [status.getPath().getName() for status in self._system.listStatus(path)]
        if any(name != _TEMPORARY for name in names):
            whole = "it holds an output" if "_SUCCESS" in names else "it holds a part of an output, or other files"
            raise Failure(f"{self._address}: {whole}; name another folder, or remove it", CANNOT_CREATE)
        # An earlier call was ended before it committed anything.
        self.clear()

    def commit(self, attempts: Sequence[Written]) -> None:
        """Moves the files of the attempts that count into their places; the output is whole then."""
        made: set[str] = set()
        self._folder("")
        for written in attempts:
            for name in written.names:
                folder = os.path.dirname(name)
                if folder not in made:
                    self._folder(folder)
                    made.add(folder)
                source = self._paths(f"{self._address}/{_TEMPORARY}/{written.folder}/{name}")
                if not self._system.rename(source, self._paths(f"{self._address}/{name}")):
                    raise Failure(
                        f"{self._address}/{name}: the file cannot be moved into its place; the output is not whole: remove "
                        "it, and replay again",
                        OUTPUT_FAILED,
                    )
        self._system.create(self._paths(f"{self._address}/_SUCCESS")).close()
        self.clear()

    def clear(self) -> None:
        """Removes what attempts left that do not count."""
        self._system.delete(self._paths(f"{self._address}/{_TEMPORARY}"), True)

    def _folder(self, name: str) -> None:
        if not self._system.mkdirs(self._paths(f"{self._address}/{name}".rstrip("/"))):
            raise Failure(f"{self._address}/{name}: the folder cannot be made", CANNOT_CREATE)

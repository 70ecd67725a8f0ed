"""Spark: where archives are, who looks at them, what every shard's work is spread by, and how far it has come."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tally_spark import hadoop, outlines, shards
from tally_spark.failure import CANNOT_CREATE, NO_INPUT, UNAVAILABLE, Failure
from tally_spark.manifest import Manifest
from tally_spark.outlines import Outline
from tally_spark.shards import Work

# How many archives one task looks at, at most.
_AT_ONCE = 2000


def session(master: str | None) -> Any:
    """The session that `spark-submit` or the configuration has, or one with this master; workers get this package."""
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise Failure(
            f"{error}: install pyspark 4 with pandas and pyarrow, as by 'pip install tally-spark[spark]'", UNAVAILABLE
        ) from error
    builder = SparkSession.builder.appName("tally-spark")
    if master:
        builder = builder.master(master)
    # A task's files come into the output's folder when Spark says that this attempt is the one that counts.
    builder = builder.config("spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version", "1")
    # Rows of a shard go to the files of their days and plugins side by side, and need not be sorted.
    builder = builder.config("spark.sql.maxConcurrentOutputFileWriters", "64")
    spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.setLogLevel(os.environ.get("TALLY_SPARK_LOG", "ERROR"))
    spark.sparkContext.addPyFile(_package())
    return spark


def _package() -> str:
    """This package as one file."""
    place = os.path.dirname(os.path.abspath(__file__))
    target = os.path.join(tempfile.mkdtemp(prefix="tally-spark-"), "tally_spark.zip")
    with zipfile.ZipFile(target, "w") as file:
        for name in sorted(os.listdir(place)):
            if name.endswith(".py"):
                file.write(os.path.join(place, name), f"tally_spark/{name}")
    return target


def settings(spark: Any) -> dict[str, str]:
    """The settings of Hadoop that the driver has besides those that its libraries come with."""
    prefix = "spark.hadoop."
    return {key[len(prefix) :]: value for key, value in spark.sparkContext.getConf().getAll() if key.startswith(prefix)}


def archives(spark: Any, patterns: Sequence[str]) -> dict[str, int]:
    """The archives that patterns and folders stand for, by their addresses, with their sizes."""
    elsewhere = [pattern for pattern in patterns if _is_elsewhere(spark, pattern)]
    at_hand = [hadoop.local_path(pattern) or pattern for pattern in patterns if pattern not in elsewhere]
    found = {path: os.path.getsize(path) for path in outlines.expand(at_hand)} if at_hand else {}
    if elsewhere:
        from pyspark.errors import PySparkException

        # Its columns are all that is read, so that nothing is but the folders.
        try:
            rows = spark.read.format("binaryFile").load(elsewhere).select("path", "length").collect()
        except PySparkException as error:
            raise Failure(f"{' '.join(elsewhere)}: there is no such archive: {_first(error)}", NO_INPUT) from error
        found.update({row.path: row.length for row in rows if row.path.endswith(outlines.SUFFIXES)})
    if not found:
        raise Failure(f"{' '.join(patterns)}: no file in it ends in .tally or .jsonl, plain, .gz or .zst", NO_INPUT)
    return found


def _is_elsewhere(spark: Any, pattern: str) -> bool:
    if hadoop.local_path(pattern) is None:
        return True
    at_hand = pattern.startswith("file:") or spark.sparkContext._jsc.hadoopConfiguration().get("fs.defaultFS") == "file:///"
    return not at_hand


def outlined(spark: Any, work: Work, found: dict[str, int]) -> list[Outline]:
    """The outlines of archives, which the workers make."""
    context = spark.sparkContext
    total = sum(found.values()) + 1
    share = max(1, total // max(1, context.defaultParallelism * 4))
    batches: list[list[tuple[str, int]]] = [[]]
    size = 0
    for path, length in sorted(found.items()):
        if batches[-1] and (size >= share or len(batches[-1]) >= _AT_ONCE):
            batches.append([])
            size = 0
        batches[-1].append((path, length))
        size += length
    made = attempt(lambda: context.parallelize(batches, len(batches)).map(lambda batch: _outlines(work, batch)).collect())
    return [outline for batch in made for outline in batch]


def _outlines(work: Work, batch: list[tuple[str, int]]) -> list[Outline]:
    at_hand = [path for path, _ in batch if hadoop.local_path(path) is not None]
    made = outlines.of_files(work.program, at_hand)
    elsewhere = [(path, size) for path, size in batch if hadoop.local_path(path) is None]
    with shards.folder() as place:
        copies: dict[str, tuple[str, int]] = {}
        for number, (path, size) in enumerate(elsewhere):
            files = hadoop.files(work.hadoop)
            index = files.read(path + ".index")
            known = outlines.of_index(path, size, index, None) if index is not None else None
            if known is not None:
                made.append(known)
                continue
            target = os.path.join(place, f"{number}-{os.path.basename(path)}")
            files.copy(path, None, target)
            copies[target] = (path, size)
        made += outlines.of_program(work.program, copies)
    return made


def attempt(work: Callable[[], Any]) -> Any:
    """Does something with Spark; what a shard said when its last attempt failed is what is told."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        return work()
    except (Py4JJavaError, PySparkException) as error:
        said = re.findall(r"tally_spark\.failure\.Failure: (.*?) \[exit code (\d+)\]", str(error), re.DOTALL)
        if said:
            raise Failure(f"{said[-1][0]}; nothing was committed", int(said[-1][1])) from error
        raise Failure(f"Spark: {_first(error)}; nothing was committed", UNAVAILABLE) from error


def _first(error: BaseException) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:2])[:500]


class Summaries:
    """The summaries of shards as they come; one of an attempt that did not count takes nobody's place."""

    def __init__(self, spark: Any) -> None:
        from pyspark.accumulators import AccumulatorParam

        class Merging(AccumulatorParam):  # type: ignore[misc]
            def zero(self, value: dict[int, Any]) -> dict[int, Any]:
                return {}

            def addInPlace(self, value: dict[int, Any], more: dict[int, Any]) -> dict[int, Any]:
                value.update(more)
                return value

        self._accumulator = spark.sparkContext.accumulator({}, Merging())

    def __call__(self, number: int, summary: dict[str, Any]) -> None:
        """Adds the summary of a shard, on a worker."""
        from pyspark import TaskContext

        context = TaskContext.get()
        self._accumulator.add({number: {**summary, "attempt": context.attemptNumber() if context else 0}})

    @property
    def all(self) -> dict[int, dict[str, Any]]:
        """All that came, on the driver."""
        return dict(self._accumulator.value)


@contextmanager
def progress(spark: Any, count: int, every: float) -> Iterator[None]:
    """Tells every so many seconds how many shards are done, until what is within ends."""
    ended = threading.Event()
    tracker = spark.sparkContext.statusTracker()
    begun = time.monotonic()

    def tell() -> None:
        while not ended.wait(every):
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            for stage in [stage for stage in stages if stage and stage.numTasks == count]:
                failed = f", {stage.numFailedTasks} attempts failed" if stage.numFailedTasks else ""
                said = f"{stage.numCompletedTasks} of {count} shards, {stage.numActiveTasks} at work{failed}"
                print(f"tally-spark: {said}, {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)

    thread = threading.Thread(target=tell, daemon=True)
    if every > 0:
        thread.start()
    try:
        yield
    finally:
        ended.set()


def check_output(spark: Any, address: str) -> None:
    """Makes sure that an output can be made: a folder that is not there, or in which nothing was committed."""
    jvm = spark.sparkContext._jvm
    path = jvm.org.apache.hadoop.fs.Path(address)
    system = path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
    if not system.exists(path):
        return
    names = [status.getPath().getName() for status in system.listStatus(path)]
    if any(name != "_temporary" for name in names):
        whole = "it holds an output" if "_SUCCESS" in names else "it holds a part of an output, or other files"
        raise Failure(f"{address}: {whole}; name another folder, or remove it", CANNOT_CREATE)
    # An earlier call was ended before it committed anything.
    system.delete(path, True)


def deal(spark: Any, manifest: Manifest, work: Callable[[int], Iterator[Any]], columns: str) -> Any:
    """A table of what the work gives for each shard, one task for each."""

    def of_batches(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from work(number)

    count = len(manifest.shards)
    return spark.range(0, count, 1, count).mapInArrow(of_batches, columns)

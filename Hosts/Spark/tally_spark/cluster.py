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
from tally_spark.attempts import Place
from tally_spark.failure import NO_INPUT, UNAVAILABLE, Failure
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
    # Where this process starts the driver's JVM: it hands shards out, and what would make it fast in an hour costs more.
    os.environ["SPARK_SUBMIT_OPTS"] = f"-XX:TieredStopAtLevel=1 {os.environ.get('SPARK_SUBMIT_OPTS', '')}".rstrip()
    builder = SparkSession.builder.appName("tally-spark")
    if master:
        builder = builder.master(master)
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


def place(spark: Any, address: str) -> Place:
    """Where an output comes: a folder that all machines have at hand, or one that Hadoop finds."""
    path = None if _is_elsewhere(spark, address) else hadoop.local_path(address)
    return Place(address.rstrip("/"), None if path is None else os.path.abspath(path))


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

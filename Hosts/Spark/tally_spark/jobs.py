"""What `tally-spark` does on a cluster: replay, compare two sets of plugins, measure."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, cast

from tally_spark import attempts, cluster, outputs, shards, summary
from tally_spark.attempts import Attempt, Output, Place, Written
from tally_spark.failure import DIFFERENCE, OUTPUT_FAILED, SUCCESS, Failure, worst
from tally_spark.manifest import Manifest, Unit
from tally_spark.shards import Work

# How many files of metrics one process puts together.
_MERGED_AT_ONCE = 64


def replay(spark: Any, manifest: Manifest, work: Work, plugins: str, out: Place, every: float) -> dict[str, Any]:
    """Replays all shards; what trackers say becomes a table in Parquet, by date and plugin, and comes there once."""
    begun = time.monotonic()

    def write(number: int, shard: Unit, attempt: Attempt) -> dict[str, Any]:
        return outputs.of_shard(work, number, shard, plugins, attempt)

    found = _written(spark, manifest, work, out, every, write)
    return summary.total(found, time.monotonic() - begun, manifest.archives)


def _written(
    spark: Any,
    manifest: Manifest,
    work: Work,
    place: Place,
    every: float,
    write: Callable[[int, Unit, Attempt], dict[str, Any]],
) -> dict[int, dict[str, Any]]:
    """Has each shard's files written, and commits those of the attempts that count; gives the summaries of the shards."""
    output = Output(spark, place)
    output.check()
    dealt = spark.sparkContext.broadcast(manifest.shards)
    count = len(manifest.shards)

    def of_shard(number: int) -> tuple[int, Written, dict[str, Any]]:
        from pyspark import TaskContext

        with attempts.attempt(place, number) as (name, attempt):
            said = write(number, dealt.value[number], attempt)
            context = TaskContext.get()
            said["attempt"] = context.attemptNumber() if context else 0
            return number, attempts.done(work, place, name, attempt), said

    try:
        with cluster.progress(spark, count, every):
            found = cluster.attempt(spark.sparkContext.parallelize(range(count), count).map(of_shard).collect)
        output.commit([written for _, written, _ in found])
    except BaseException:
        with suppress(Exception):
            output.clear()
        raise
    return {number: said for number, _, said in found}


def diff(
    spark: Any, manifest: Manifest, work: Work, sides: tuple[list[str], list[str]], rules: list[str], out: Place, every: float
) -> dict[str, Any]:
    """Replays all shards through two sets of plugins; the differences become lines of JSON."""
    begun = time.monotonic()

    def write(number: int, shard: Unit, attempt: Attempt) -> dict[str, Any]:
        return _differences(work, number, shard, sides, rules, attempt)

    found = _written(spark, manifest, work, out, every, write)
    whole = summary.total(found, time.monotonic() - begun, manifest.archives)
    for name in ("pairs", "changed", "only_in_a", "only_in_b", "cut_short"):
        whole[name] = sum(one["comparison"][name] for one in found.values())
    if whole["exit_code"] == SUCCESS and whole["changed"] + whole["only_in_a"] + whole["only_in_b"] > 0:
        whole["exit_code"] = DIFFERENCE
    return whole


def _differences(
    work: Work, number: int, shard: Unit, sides: tuple[list[str], list[str]], rules: list[str], attempt: Attempt
) -> dict[str, Any]:
    with shards.folder() as place:
        files = [os.path.join(place, name) for name in ("a.jsonl", "b.jsonl")]
        found = []
        for options, file in zip(sides, files):
            path = os.path.join(place, "summary.json")
            words = ["--set", f"plugins.jsonlines.config.path={file}", "--quiet", "--summary", path, *options]
            with shards.replay(work, number, shard, words) as one:
                found.append(shards.outcome(one, path))
        run = subprocess.Popen([work.program, "diff", "--json", *rules, *files], stdout=subprocess.PIPE)
        last = b"{}"
        try:
            with gzip.open(attempt.file(f"part-{number:05d}.json.gz"), "wb", compresslevel=6) as target:
                for block in outputs.blocks(cast(IO[bytes], run.stdout)):
                    begin = block.rfind(b"\n", 0, len(block) - 1) + 1
                    if b'"summary"' in block[begin:]:
                        block, last = block[:begin], block[begin:]
                    target.write(block)
            code = run.wait()
        finally:
            run.kill()
        if code not in (SUCCESS, DIFFERENCE):
            raise Failure(f"shard {number}: tally-replay diff ended with {code}", code if code > 0 else OUTPUT_FAILED)
        both = dict(found[1], exit_code=worst([one["exit_code"] for one in found]))
        said = json.loads(last)
        both["comparison"] = said["summary"] if isinstance(said.get("summary"), dict) else said
        return both


def metrics(spark: Any, manifest: Manifest, work: Work, out: str, every: float) -> int:
    """Measures the sessions of all shards into one file of `tally-replay metrics --shard-out`, and says how that ended."""
    dealt = spark.sparkContext.broadcast(manifest.shards)
    count = len(manifest.shards)

    def of_shard(number: int) -> tuple[int, bytes]:
        with shards.folder() as place:
            file = os.path.join(place, "metrics")
            options = ["--quiet", "--json", "--groups", "0", "--shard-out", file]
            with shards.replay(work, number, dealt.value[number], options, ["metrics"]) as one:
                one.output.read()
                code = one.end()
                if not os.path.exists(file) or os.path.getsize(file) == 0:
                    raise one.failure(f"tally-replay metrics ended with {code}", code if code > 0 else OUTPUT_FAILED)
            with open(file, "rb") as made:
                return code, made.read()

    parts = spark.sparkContext.parallelize(range(count), count).map(of_shard)
    while count > _MERGED_AT_ONCE:
        count = -(-count // _MERGED_AT_ONCE)
        parts = parts.repartition(count).mapPartitions(lambda some: [_merged(work, list(some))])
    with cluster.progress(spark, len(manifest.shards), every):
        code, content = _merged(work, cluster.attempt(parts.collect))
    temporary = out + ".part"
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
        os.replace(temporary, out)
    except OSError as error:
        raise Failure(f"{out}: cannot write it: {error.strerror}", OUTPUT_FAILED) from error
    return code


def _merged(work: Work, parts: list[tuple[int, bytes]]) -> tuple[int, bytes]:
    """One set of several; the order of the parts means nothing."""
    with shards.folder() as place:
        words = [work.program, "metrics", "--quiet", "--json", "--groups", "0"]
        for number, (_, content) in enumerate(parts):
            path = os.path.join(place, str(number))
            with open(path, "wb") as file:
                file.write(content)
            words += ["--merge", path]
        target = os.path.join(place, "merged")
        run = subprocess.run([*words, "--shard-out", target], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise Failure(f"metrics cannot be merged: {run.stderr.strip()}", max(run.returncode, 1))
        with open(target, "rb") as file:
            return worst([code for code, _ in parts]), file.read()

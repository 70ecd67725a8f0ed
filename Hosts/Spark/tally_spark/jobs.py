"""What `tally-spark` does on a cluster: replay, compare two sets of plugins, measure."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from typing import IO, Any, cast

from tally_spark import cluster, outputs, shards, summary
from tally_spark.failure import DIFFERENCE, OUTPUT_FAILED, SUCCESS, Failure, worst
from tally_spark.manifest import Manifest
from tally_spark.shards import Work

# How many files of metrics one process puts together.
_MERGED_AT_ONCE = 64


def replay(spark: Any, manifest: Manifest, work: Work, plugins: str, out: str, every: float) -> dict[str, Any]:
    """Replays all shards; what trackers say becomes a table in Parquet, by date and plugin, and comes there once."""
    cluster.check_output(spark, out)
    begun = time.monotonic()
    dealt = spark.sparkContext.broadcast(manifest.shards)
    summaries = cluster.Summaries(spark)

    def of_shard(number: int) -> Iterator[Any]:
        return outputs.of_shard(work, number, dealt.value[number], plugins, summaries)

    table = cluster.deal(spark, manifest, of_shard, outputs.COLUMNS)
    with cluster.progress(spark, len(manifest.shards), every):
        writer = table.write.partitionBy("date", "plugin").option("compression", "zstd")
        cluster.attempt(lambda: writer.mode("errorifexists").parquet(out))
    return _total(spark, summaries, manifest, begun, out)


def _total(spark: Any, summaries: cluster.Summaries, manifest: Manifest, begun: float, out: str) -> dict[str, Any]:
    found = summaries.all
    missing = sorted(set(range(len(manifest.shards))) - set(found))
    if missing:
        raise Failure(f"{out}: the shards {missing[:10]} did not say what they came to", OUTPUT_FAILED)
    return summary.total(found, time.monotonic() - begun, manifest.archives)


def diff(
    spark: Any, manifest: Manifest, work: Work, sides: tuple[list[str], list[str]], rules: list[str], out: str, every: float
) -> dict[str, Any]:
    """Replays all shards through two sets of plugins; the differences become lines of JSON."""
    cluster.check_output(spark, out)
    begun = time.monotonic()
    dealt = spark.sparkContext.broadcast(manifest.shards)
    summaries = cluster.Summaries(spark)

    def of_shard(number: int) -> Iterator[Any]:
        return _differences(work, number, dealt.value[number], sides, rules, summaries)

    table = cluster.deal(spark, manifest, of_shard, "value string")
    with cluster.progress(spark, len(manifest.shards), every):
        cluster.attempt(lambda: table.write.option("compression", "gzip").mode("errorifexists").text(out))
    whole = _total(spark, summaries, manifest, begun, out)
    found = summaries.all.values()
    for name in ("pairs", "changed", "only_in_a", "only_in_b", "cut_short"):
        whole[name] = sum(one["comparison"][name] for one in found)
    if whole["exit_code"] == SUCCESS and whole["changed"] + whole["only_in_a"] + whole["only_in_b"] > 0:
        whole["exit_code"] = DIFFERENCE
    return whole


def _differences(
    work: Work, number: int, shard: Any, sides: tuple[list[str], list[str]], rules: list[str], summaries: cluster.Summaries
) -> Iterator[Any]:
    import pyarrow as pa

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
            for block in outputs.blocks(cast(IO[bytes], run.stdout)):
                lines = block.splitlines()
                if b'"summary"' in lines[-1]:
                    last = lines.pop()
                if lines:
                    yield pa.RecordBatch.from_arrays([pa.array([line.decode() for line in lines], pa.string())], ["value"])
            code = run.wait()
        finally:
            run.kill()
        if code not in (SUCCESS, DIFFERENCE):
            raise Failure(f"shard {number}: tally-replay diff ended with {code}", code if code > 0 else OUTPUT_FAILED)
        both = dict(found[1], exit_code=worst([one["exit_code"] for one in found]))
        said = json.loads(last)
        both["comparison"] = said["summary"] if isinstance(said.get("summary"), dict) else said
        summaries(number, both)


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

"""The command line of `tally-spark`."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tally_spark import manifest, outlines, summary
from tally_spark.failure import CANNOT_CREATE, INTERRUPTED, NO_INPUT, SUCCESS, USAGE, Failure
from tally_spark.manifest import Manifest
from tally_spark.shards import Work

_EPILOGUE = """Options behind -- are given to each tally-replay, such as: -- --plugin-dir /opt/tally/plugins
Exit codes: those of tally-replay; of several shards' the first of 75, 76, 66, 65, 1."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        self.exit(USAGE, f"{self.prog}: {message}; see {self.prog} --help\n")


def _parser() -> _Parser:
    parser = _Parser(prog="tally-spark", description="Replays archives of Tally on many machines.", epilog=_EPILOGUE)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)

    def command(name: str, help: str, *, dealt: bool = True, spark: bool = True) -> _Parser:
        made: _Parser = commands.add_parser(name, help=help, description=help, epilog=_EPILOGUE)
        made.add_argument(
            "--program", default="tally-replay", metavar="PATH", help="tally-replay, where it lies on each machine"
        )
        if dealt:
            made.add_argument(
                "--archives", action="append", default=[], metavar="GLOB", help="archives, folders; repeatable"
            )
            made.add_argument("--shards", type=_count, metavar="COUNT", help="into how many shards their runs are dealt out")
            size = manifest.SHARD_BYTES >> 20
            made.add_argument(
                "--shard-size", type=_count, default=size, metavar="MB", help=f"or how large those are ({size})"
            )
        if spark:
            made.add_argument("--manifest", metavar="FILE", help="a manifest, in the place of --archives")
            made.add_argument("--master", metavar="URL", help="Spark's master, when spark-submit does not say it")
            made.add_argument("--out", required=True, metavar="PLACE", help="where the output comes")
            made.add_argument("--summary", metavar="FILE", help="write the summary as JSON to this file too")
            made.add_argument("--progress", type=float, default=10, metavar="SECONDS", help="tell it so often; 0 never (10)")
        return made

    replaying = command("replay", "Replays archives through plugins, to a table in Parquet by date and plugin.")
    replaying.add_argument("--plugins", required=True, metavar="NAMES", help="trackers, with commas between them")
    comparing = command("diff", "Replays archives through two sets of plugins, and writes what differs as lines of JSON.")
    comparing.add_argument(
        "--a", required=True, metavar="OPTIONS", help="tally-replay's options for the one set, as one word"
    )
    comparing.add_argument("--b", required=True, metavar="OPTIONS", help="the same for the other set")
    comparing.add_argument(
        "--rules", action="append", default=[], metavar="FILE", help="rules of tally-replay diff; repeatable"
    )
    command("metrics", "Measures the sessions of archives, to one file that tally-replay metrics --merge takes.")
    dealing = command("manifest", "Deals the runs of archives out to shards, without Spark.", spark=False)
    dealing.add_argument("-o", "--out", required=True, metavar="FILE", help="the manifest")
    dealing.add_argument("--jobs", type=_count, default=os.cpu_count() or 1, metavar="COUNT", help="look at so many at once")
    summing = command(
        "summary", "Sums up what tally-shard left in a folder, and finds what is missing.", dealt=False, spark=False
    )
    summing.add_argument("folder", help="the folder")
    summing.add_argument("--manifest", required=True, metavar="FILE", help="the manifest")
    return parser


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """Does what the command line asks for, and says how the program ends."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    passed: list[str] = []
    if "--" in words:
        words, passed = words[: words.index("--")], words[words.index("--") + 1 :]
    asked = _parser().parse_args(words)
    try:
        if asked.command == "manifest":
            return _make(asked)
        if asked.command == "summary":
            return _sum(asked)
        return _on_cluster(asked, passed)
    except Failure as failure:
        print(f"tally-spark: error: {failure.message}", file=sys.stderr)
        return failure.code
    except KeyboardInterrupt:
        return INTERRUPTED


def _make(asked: argparse.Namespace) -> int:
    paths = outlines.expand(asked.archives)
    jobs = max(1, min(asked.jobs, len(paths)))
    with ThreadPoolExecutor(jobs) as pool:
        batches = list(pool.map(lambda start: outlines.of_files(asked.program, paths[start::jobs]), range(jobs)))
    made = manifest.make([one for batch in batches for one in batch], asked.shards, asked.shard_size << 20)
    temporary = asked.out + ".part"
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            made.write(file)
        os.replace(temporary, asked.out)
    except OSError as error:
        raise Failure(f"{asked.out}: cannot write it: {error.strerror}", CANNOT_CREATE) from error
    _say(f"{asked.out}: {_dealt_out(made)}")
    return SUCCESS


def _dealt_out(made: Manifest) -> str:
    counts = ((made.archives, "archive"), (made.runs, "run"), (len(made.shards), "shard"))
    archives, runs, shards = (summary.counted(count, what) for count, what in counts)
    return f"{archives} with {runs} in {shards}"


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _sum(asked: argparse.Namespace) -> int:
    dealt = manifest.read(asked.manifest)
    found: dict[int, dict[str, Any]] = {}
    for number in range(len(dealt.shards)):
        path = os.path.join(asked.folder, f"shard-{number:05d}.json")
        try:
            with open(path, encoding="utf-8") as file:
                found[number] = json.load(file)
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            raise Failure(f"{path}: cannot read the summary: {error}", NO_INPUT) from error
    missing = [number for number in range(len(dealt.shards)) if number not in found]
    if missing:
        some = " ".join(str(number) for number in missing[:20])
        raise Failure(f"{asked.folder}: {len(missing)} of {len(dealt.shards)} shards are missing: {some}", NO_INPUT)
    whole = summary.total(found, sum(one["elapsed_us"] for one in found.values()) / 1e6, dealt.archives)
    _say(summary.text(whole))
    return int(whole["exit_code"])


def _on_cluster(asked: argparse.Namespace, passed: list[str]) -> int:
    from tally_spark import cluster, jobs

    if bool(asked.archives) == bool(asked.manifest):
        raise Failure("name --archives, or a --manifest of them", USAGE)
    # What is wrong with these is told before Spark is there.
    dealt = manifest.read(asked.manifest) if asked.manifest else None
    spark = cluster.session(asked.master)
    try:
        work = Work(asked.program, tuple(passed), cluster.settings(spark))
        made = dealt or _dealt(spark, work, asked)
        if asked.command == "metrics":
            return jobs.metrics(spark, made, work, asked.out, asked.progress)
        if asked.command == "diff":
            sides = (_plugins(asked.a), _plugins(asked.b))
            rules = [word for file in asked.rules for word in ("--rules", os.path.abspath(file))]
            whole = jobs.diff(spark, made, work, sides, rules, cluster.place(spark, asked.out), asked.progress)
        else:
            plugins = ",".join(name for name in asked.plugins.split(",") if name != "jsonlines") + ",jsonlines"
            whole = jobs.replay(spark, made, work, plugins, cluster.place(spark, asked.out), asked.progress)
    finally:
        spark.stop()
    _say(summary.text(whole))
    if asked.command == "diff":
        counts = f"{whole['changed']} of {whole['pairs']} lines that both have differ"
        _say(f"{counts}, {whole['only_in_a']} are only in A, {whole['only_in_b']} only in B")
    if asked.summary:
        with open(asked.summary, "w", encoding="utf-8") as file:
            file.write(summary.line(whole) + "\n")
    return int(whole["exit_code"])


def _dealt(spark: Any, work: Work, asked: argparse.Namespace) -> Manifest:
    from tally_spark import cluster

    found = cluster.outlined(spark, work, cluster.archives(spark, asked.archives))
    made = manifest.make(found, asked.shards, asked.shard_size << 20, spark.sparkContext.defaultParallelism)
    _say(f"tally-spark: {_dealt_out(made)}")
    return made


def _plugins(options: str) -> list[str]:
    """The options of one side, with the reporter that writes what is compared."""
    words = shlex.split(options)
    if "--plugins" not in words[:-1]:
        raise Failure(f"'{options}' names no --plugins", USAGE)
    place = words.index("--plugins") + 1
    words[place] += "" if "jsonlines" in words[place].split(",") else ",jsonlines"
    return words

#!/usr/bin/env python3
"""Holds tally-spark, on clusters of this machine, to one replay of the same archives. See run --help."""

import collections
import ctypes
import glob
import gzip
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import made_archives
import pyarrow.parquet as parquet
from check_shards import HERE, Programs, same

ONE, TWO = "local-cluster[1,1,1024]", "local-cluster[2,1,1024]"


def table(out):
    """The sorted lines of a table, which has to be whole."""
    assert os.path.exists(f"{out}/_SUCCESS"), f"{out} was not committed"
    lines = []
    for path in glob.glob(f"{out}/date=*/plugin=*/*.parquet"):
        lines += [text.encode() for text in parquet.ParquetFile(path).read(["text"])["text"].to_pylist()]
    return sorted(lines)


def options(programs, *archives, master=TWO):
    named = [word for archive in archives for word in ("--archives", archive)]
    return [*named, "--program", programs.replay, "--master", master, "--progress", "2"]


def behind(programs):
    return ["--", "--plugin-dir", programs.build]


def reap_orphans():
    """Waits for all processes that were left behind: what they took then counts as this one's children's."""
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def replay(programs, archives, out, master, *more, code=0):
    """Replays to a table, and gives what is said and the processor time of all processes, in seconds."""
    # The JVM is left behind by the driver, which ends first: it becomes this process's own.
    assert ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0) == 0, "PR_SET_CHILD_SUBREAPER"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = programs.spark(
        "replay",
        *options(programs, *archives, master=master),
        "--plugins",
        "new-relic-video",
        "--out",
        out,
        *more,
        *behind(programs),
        code=code,
    )
    reap_orphans()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return said, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def executors(parent):
    """The processes of a cluster's workers below a process."""
    found = []
    waiting, seen = [str(parent)], set()
    while waiting:
        own = waiting.pop()
        for path in glob.glob(f"/proc/{own}/task/*/children"):
            try:
                with open(path, encoding="utf-8") as file:
                    children = file.read().split()
                for child in children:
                    with open(f"/proc/{child}/cmdline", encoding="utf-8", errors="replace") as file:
                        if "CoarseGrainedExecutorBackend" in file.read():
                            found.append(int(child))
            except OSError:
                continue
            waiting += [child for child in children if child not in seen]
            seen.update(children)
    return sorted(set(found))


def a_worker_is_killed(programs, archives, folder, expected):
    """In the midst of a replay one of the two workers is ended, with all its processes."""
    out, summary = f"{folder}/killed", f"{folder}/killed.json"
    words = [
        sys.executable,
        "-m",
        "tally_spark",
        "replay",
        *options(programs, *archives),
        "--plugins",
        "new-relic-video",
        "--shards",
        "24",
        "--out",
        out,
        "--summary",
        summary,
        *behind(programs),
    ]
    environment = {**os.environ, "PYTHONPATH": os.path.join(os.path.dirname(__file__), "..", "..", "Hosts", "Spark")}
    with open(f"{folder}/killed.log", "w+", encoding="utf-8") as log:
        process = subprocess.Popen(words, stderr=log, env=environment)
        # Two workers have one core each: of four attempts that wrote something, two are at work and two are done.
        while process.poll() is None:
            begun = glob.glob(f"{out}/_temporary/*/date=*/plugin=*/*.parquet")
            if len({path.split("/_temporary/")[1].split("/")[0] for path in begun}) >= 4:
                # What an attempt leaves that wrote all and was lost before it could say so.
                done = begun[0].split("/date=")[0]
                shutil.copytree(done, os.path.join(os.path.dirname(done), "00000-lost"), ignore_dangling_symlinks=True)
                victims = executors(process.pid)
                assert victims, "there are no workers"
                os.kill(victims[0], signal.SIGKILL)
                break
            time.sleep(0.01)
        else:
            raise AssertionError("the replay ended before a worker could be killed")
        code = process.wait(500)
        log.seek(0)
        said = log.read()
    assert code == 0, said[-3000:]
    same(table(out), expected, "with a worker killed")
    assert sorted(name for name in os.listdir(out) if name[0] != ".") == sorted(
        ["_SUCCESS", *(name for name in os.listdir(out) if name.startswith("date="))]
    ), os.listdir(out)
    with open(summary, encoding="utf-8") as file:
        print(
            f"spark: a worker was killed: nothing twice, nothing missing; begun again: {json.load(file)['repeated_shards']}"
        )


def reference_archive(programs, path):
    """One worker, two workers, a worker killed, another file system, and what Spark costs."""
    with tempfile.TemporaryDirectory(prefix="tally-spark-") as folder:
        subprocess.run([programs.replay, "index", path], check=True, capture_output=True)
        expected, summary, _ = programs.whole(folder, path)
        for name, master in (("one", ONE), ("two", TWO)):
            told = f"{folder}/{name}.json"
            replay(programs, [path], f"{folder}/{name}", master, "--shards", "6", "--summary", told)
            same(table(f"{folder}/{name}"), expected, name)
            with open(f"{folder}/{name}.json", encoding="utf-8") as file:
                told = json.load(file)
            wrong = [
                key
                for key in ("runs", "sessions", "events", "lines", "bytes", "records", "beacons", "damaged")
                if told[key] != summary[key]
            ]
            assert not wrong, wrong
        print(
            f"spark: one worker, two workers and one replay say the same {len(expected):,} lines "
            f"of {summary['events']:,} events in {summary['runs']} runs"
        )
        a_worker_is_killed(programs, [path], folder, expected)
        # What is there is not written over.
        said, _ = replay(programs, [path], f"{folder}/two", TWO, code=73)
        assert "it holds an output" in said, said
        merged, whole = f"{folder}/merged.metrics", f"{folder}/whole.metrics"
        subprocess.run([programs.replay, "metrics", path, "--shard-out", whole], check=True, capture_output=True)
        programs.spark("metrics", *options(programs, path), "--shards", "70", "--out", merged)
        with open(merged, "rb") as one, open(whole, "rb") as other:
            assert one.read() == other.read(), "metrics differ"
        print("spark: metrics of 70 shards are merged to the bytes of the whole")
        differing(programs, path, folder)


def differing(programs, path, folder):
    """Two sets of plugins, which say the same, and which do not."""
    same_set = f"--plugin-dir {programs.build} --plugins new-relic-video"
    other = same_set + " --set plugins.new-relic-video.config.heartbeatSeconds=20"
    programs.spark("diff", *options(programs, path), "--a", same_set, "--b", same_set, "--out", f"{folder}/none")
    said = programs.spark("diff", *options(programs, path), "--a", same_set, "--b", other, "--out", f"{folder}/some", code=1)
    lines = subprocess.run(f"zcat {folder}/some/*.gz", shell=True, check=True, capture_output=True).stdout.splitlines()
    assert lines and all(json.loads(line)["difference"] for line in lines[:1000]), said
    print(f"spark: diff finds {len(lines):,} differences between two sets of plugins, and none within one")


def rotated(programs):
    """Files that runs go through, at hand and on another of Hadoop's file systems, with damage."""
    with tempfile.TemporaryDirectory(prefix="tally-spark-") as folder:
        for name, seed, trouble in (("good", 11, False), ("bad", 12, True)):
            os.mkdir(f"{folder}/{name}")
            paths = made_archives.hours(f"{folder}/{name}", seed, trouble=trouble)
            subprocess.run([programs.replay, "index", *paths[-1:]], capture_output=True)
            expected, _, code = programs.whole(folder, f"{folder}/{name}")
            replay(programs, [f"{folder}/{name}"], f"{folder}/{name}-out", TWO, "--shards", "4", code=code)
            same(table(f"{folder}/{name}-out"), expected, f"rotated, {name}")
        # Another scheme, whose files no program but Hadoop's finds.
        os.environ["PYSPARK_SUBMIT_ARGS"] = (
            f"--conf spark.hadoop.fs.viewfs.mounttable.far.link./data=file://{folder} pyspark-shell"
        )
        expected, _, _ = programs.whole(folder, f"{folder}/good")
        replay(programs, ["viewfs://far/data/good/*"], "viewfs://far/data/far-out", TWO, "--shards", "4")
        said, _ = replay(programs, ["viewfs://far/data/good/*"], "viewfs://far/data/far-out", TWO, code=73)
        assert "it holds an output" in said, said
        del os.environ["PYSPARK_SUBMIT_ARGS"]
        same(table(f"{folder}/far-out"), expected, "another file system")
        assert not os.path.exists(f"{folder}/far-out/_temporary")
    print("spark: rotated, damaged and far archives say what one replay says")


def failing(programs):
    """A shard that fails is tried again, named, and nothing comes of the others."""
    with tempfile.TemporaryDirectory(prefix="tally-spark-") as folder:
        os.mkdir(f"{folder}/in")
        made_archives.small(f"{folder}/in", 40, 3)
        # What fails once, for one shard.
        program = f"{folder}/tally-replay"
        with open(program, "w", encoding="utf-8") as file:
            file.write(
                f'#!/bin/sh\ncase "$*" in *--shard*) mkdir {folder}/once 2>/dev/null && kill -9 $$;; esac\n'
                f'exec {programs.replay} "$@"\n'
            )
        os.chmod(program, 0o755)
        expected, _, _ = programs.whole(folder, f"{folder}/in")
        words = ["replay", "--archives", f"{folder}/in", "--program", program, "--master", TWO, "--shards", "3"]
        said = programs.spark(*words, "--plugins", "new-relic-video", "--out", f"{folder}/out", *behind(programs))
        same(table(f"{folder}/out"), expected, "a shard that failed once")
        assert "was begun 2 times" in said, said
        # A plugin that is not there fails each time.
        said = programs.spark(*words, "--plugins", "no-such-tracker", "--out", f"{folder}/none", *behind(programs), code=75)
        assert "shard " in said and "nothing was committed" in said, said
        assert not glob.glob(f"{folder}/none/**/*.parquet", recursive=True)
    print("spark: a shard that fails is tried again and named")


def small(programs, count):
    """Very many archives of one run."""
    with tempfile.TemporaryDirectory(prefix="tally-spark-") as folder:
        os.mkdir(f"{folder}/in")
        made_archives.small(f"{folder}/in", count, 5)
        begun = time.monotonic()
        expected, summary, _ = programs.whole(folder, f"{folder}/in")
        whole = time.monotonic() - begun
        begun = time.monotonic()
        replay(programs, [f"{folder}/in"], f"{folder}/out", TWO, "--shards", "8")
        same(table(f"{folder}/out"), expected, "small archives")
        print(
            f"spark: {count:,} small archives say the same {len(expected):,} lines; one replay took {whole:.0f} s, "
            f"Spark {time.monotonic() - begun:.0f} s, load {os.getloadavg()[0]:.1f}"
        )


def machine_time():
    """The processor time that all processes took so far, in seconds."""
    with open("/proc/stat", encoding="utf-8") as file:
        user, nice, system, _, _, irq, soft, *_ = map(int, file.readline().split()[1:])
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK")


def overhead(programs, path, times):
    """Processor time beside one replay with two jobs, of an archive that takes long enough; the machine has nothing else to do.

    It is the machine's: Spark's workers end without that somebody waits for them, and their time is nobody's then.
    """
    with tempfile.TemporaryDirectory(prefix="tally-spark-") as folder:
        paths = []
        for number in range(times):
            # Other runs, in as many archives.
            paths.append(f"{folder}/{number}.tally")
            subprocess.run(f"sed 's/^{{\"run\":\"/&{number}-/' '{path}' > '{paths[-1]}'", shell=True, check=True)
        subprocess.run([programs.replay, "index", *paths], check=True, capture_output=True)
        rounds = []
        for _ in range(2):
            before, begun = machine_time(), time.monotonic()
            subprocess.run(
                [
                    programs.replay,
                    *paths,
                    *programs.plugins,
                    "--quiet",
                    "--jobs",
                    "2",
                    "--set",
                    f"plugins.jsonlines.config.path={folder}/two-jobs.jsonl",
                ],
                check=True,
            )
            alone = machine_time() - before
            elapsed = time.monotonic() - begun
            os.remove(f"{folder}/two-jobs.jsonl")
            subprocess.run(["rm", "-rf", f"{folder}/out"], check=True)
            before, begun = machine_time(), time.monotonic()
            replay(programs, paths, f"{folder}/out", "local[2]", "--shards", "2", "--summary", f"{folder}/told")
            spark = machine_time() - before
            with open(f"{folder}/told", encoding="utf-8") as file:
                told = json.load(file)
            rounds.append((spark / alone, alone, spark, elapsed, time.monotonic() - begun, told))
        ratio, alone, spark, elapsed, spark_elapsed, told = min(rounds, key=lambda one: one[0])
        print(
            f"spark: {told['events']:,} events: --jobs 2 took {alone:.1f} s of processor time and {elapsed:.1f} s; Spark on "
            f"two cores {spark:.1f} s and {spark_elapsed:.1f} s, of which tally-replay {told['processor_us'] / 1e6:.1f} s; "
            f"ratio {ratio:.2f}; load {os.getloadavg()[0]:.1f}"
        )


def stream(programs):
    """The example of Structured Streaming: files that come while it was ended, and what it counts beside a count of all."""
    example = os.path.join(HERE, "..", "..", "Hosts", "Spark", "examples", "audience.py")
    with tempfile.TemporaryDirectory(prefix="tally-spark-") as folder:
        archive, lines = f"{folder}/made.tally", f"{folder}/lines"
        subprocess.run([f"{programs.build}/tally-bench", "make-reference-archive", archive, "--events", "60000"], check=True)
        os.mkdir(lines)
        settings = {"path": f'"{lines}/out.jsonl"', "events": "true", "records": "false", "rotate_bytes": "1000000"}
        words = [programs.replay, archive, "--quiet", "--plugin-dir", programs.build, "--plugins", "jsonlines"]
        for key, value in settings.items():
            words += ["--set", f"plugins.jsonlines.config.{key}={value}"]
        subprocess.run([*words, "--set", 'plugins.jsonlines.config.compress="gzip"'], check=True, capture_output=True)
        files = sorted(glob.glob(f"{lines}/*.gz"))
        assert len(files) > 4, "there are some finished files"
        last = f"{lines}/out.jsonl.999999.gz"
        with gzip.open(last, "wt") as file:
            # The end of time: each minute before it is over.
            file.write('{"line":"event","run":"x","session":1,"type":"play","time":"2200-01-01T00:00:00.000000Z"}\n')
        expected = collections.defaultdict(lambda: [set(), 0])
        for path in files:
            for line in map(json.loads, gzip.open(path)):
                if line["line"] == "event" and line["session"] and line.get("time"):
                    minute = expected[line["time"][:16]]
                    minute[0].add(f"{line['run']}/{line['session']}")
                    minute[1] += line["type"] == "buffer_start"
        held = f"{folder}/held"
        os.mkdir(held)
        for path in [*files[3:], last]:
            os.rename(path, os.path.join(held, os.path.basename(path)))
        command = [sys.executable, example, "--lines", lines, "--out", f"{folder}/out", "--checkpoint", f"{folder}/done"]
        for _ in (1, 2):
            # Runs overlap in these files for days: nothing may count as late.
            run = subprocess.run([*command, "--once", "--late", "31536000"], capture_output=True, text=True)
            assert run.returncode == 0, run.stderr[-3000:]
            for name in os.listdir(held):
                os.rename(os.path.join(held, name), os.path.join(lines, name))
        table = parquet.ParquetDataset(f"{folder}/out").read().to_pylist()
        found = {row["minute"].strftime("%Y-%m-%dT%H:%M"): (row["sessions"], row["stalls"]) for row in table}
        assert len(found) == len(table) > 30, f"{len(table)} rows for {len(found)} of {len(expected)} minutes"
        assert found == {minute: (len(runs), stalls) for minute, (runs, stalls) in expected.items()}
        print(f"stream: {len(found)} minutes are those of a count of all")


def main():
    programs = Programs(sys.argv[1])
    reference = sys.argv[2]
    chosen = sys.argv[3:]
    cases = {
        "failing": lambda: failing(programs),
        "rotated": lambda: rotated(programs),
        "reference": lambda: reference_archive(programs, reference),
        "stream": lambda: stream(programs),
        "small": lambda: small(programs, 100_000),
        "overhead": lambda: overhead(programs, reference, 100),
    }
    for name, case in cases.items():
        if not chosen or name in chosen:
            case()


if __name__ == "__main__":
    main()

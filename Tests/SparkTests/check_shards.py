#!/usr/bin/env python3
"""Holds manifests and tally-shard to one replay of the same archives. See run --help."""

import json
import os
import subprocess
import sys
import tempfile

import made_archives

HERE = os.path.dirname(os.path.abspath(__file__))
SPARK = os.path.join(HERE, "..", "..", "Hosts", "Spark")
COUNTS = ("lines", "repeated", "bytes", "runs", "open_runs", "sessions", "events", "records", "beacons", "damaged")


class Programs:
    """The programs of a build."""

    def __init__(self, build):
        self.build = os.path.abspath(build)
        self.replay = os.path.join(self.build, "tally-replay")
        self.plugins = ["--plugin-dir", self.build, "--plugins", "new-relic-video,jsonlines"]

    def whole(self, folder, *archives):
        """What one replay says of archives: its sorted lines, its summary and its exit code."""
        out, summary = f"{folder}/whole.jsonl", f"{folder}/whole.json"
        run = subprocess.run(
            [
                self.replay,
                *archives,
                *self.plugins,
                "--quiet",
                "--summary",
                summary,
                "--set",
                f"plugins.jsonlines.config.path={out}",
            ],
            capture_output=True,
            text=True,
        )
        assert run.returncode in (0, 65), run.stderr
        with open(out, "rb") as file, open(summary, encoding="utf-8") as told:
            return sorted(file.read().splitlines()), json.load(told), run.returncode

    def spark(self, *words, code=0):
        """Runs tally-spark in the Python of this process, and gives what it says."""
        environment = {**os.environ, "PYTHONPATH": SPARK}
        run = subprocess.run([sys.executable, "-m", "tally_spark", *words], capture_output=True, text=True, env=environment)
        assert run.returncode == code, f"{words}: {run.returncode}: {run.stderr[-3000:]}"
        return run.stderr


def same(lines, expected, what):
    """Makes sure that sorted lines are those of one replay."""
    assert lines == expected, f"{what}: {len(lines)} lines and {len(expected)}; the first that differs: " + str(
        next((pair for pair in zip(lines, expected) if pair[0] != pair[1]), "none of those that both have")
    )


def shards_are_the_whole(programs, seed, trouble, cut):
    """Shards of files as a rotation makes them, by GNU parallel, with an index and without."""
    with tempfile.TemporaryDirectory(prefix="tally-shards-") as folder:
        os.mkdir(f"{folder}/in put")
        paths = made_archives.hours(f"{folder}/in put", seed, trouble=trouble, cut=cut)
        expected, summary, code = programs.whole(folder, f"{folder}/in put")
        assert summary["repeated"] > 0 and code == (65 if trouble else 0), summary
        if seed % 2:
            subprocess.run([programs.replay, "index", *paths], capture_output=True)
            assert os.path.exists(paths[-1] + ".index")
        manifest, out = f"{folder}/the manifest", f"{folder}/out put"
        programs.spark(
            "manifest", "--program", programs.replay, "--archives", f"{folder}/in put", "--shards", "5", "-o", manifest
        )
        with open(manifest, encoding="utf-8") as file:
            shards = [json.loads(line) for line in file][1:]
        environment = {**os.environ, "TALLY_REPLAY": programs.replay}
        parallel = [f"{SPARK}/batch/parallel.sh", manifest, out, "--jobs", "2", "--", *programs.plugins]
        # A shard whose process was killed leaves nothing, and is missing.
        os.makedirs(f"{out}/.shard-1-killed")
        said = programs.spark("summary", out, "--manifest", manifest, code=66)
        assert "are missing: 0 1" in said, said
        for _ in range(2):
            subprocess.run(parallel, check=True, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        lines = []
        for number in range(len(shards)):
            with open(f"{out}/shard-{number:05}.jsonl", "rb") as file:
                lines += file.read().splitlines()
        same(sorted(lines), expected, f"seed {seed}")
        sizes = [one["bytes"] for one in shards]
        assert cut or (len(sizes) == 5 and max(sizes) < 0.3 * sum(sizes)), sizes
        programs.spark("summary", out, "--manifest", manifest, code=code)
        total = {name: 0 for name in COUNTS}
        for number in range(len(shards)):
            with open(f"{out}/shard-{number:05}.json", encoding="utf-8") as file:
                one = json.load(file)
            for name in COUNTS:
                total[name] += one[name]
        # Compressed files are counted as they lie there, by each shard that reads them.
        wrong = {name: (total[name], summary[name]) for name in COUNTS if name != "bytes" and total[name] != summary[name]}
        assert not wrong, wrong
        if not cut:
            # Written since: the manifest is another's.
            with open(paths[0], "a", encoding="utf-8") as file:
                file.write("\n")
            failed = subprocess.run(
                [f"{SPARK}/batch/tally-shard", manifest, f"{folder}/new", "0", "--", *programs.plugins],
                env=environment,
                capture_output=True,
                text=True,
            )
            assert failed.returncode == 65 and "make the manifest anew" in failed.stderr, failed.stderr
            assert os.listdir(f"{folder}/new") == []


def exit_codes_count(programs):
    """A replay that has lost something leaves nothing, however whole its summary looks."""
    with tempfile.TemporaryDirectory(prefix="tally-shards-") as folder:
        os.mkdir(f"{folder}/in")
        made_archives.small(f"{folder}/in", 3, 1)
        programs.spark("manifest", "--program", programs.replay, "--archives", f"{folder}/in", "-o", f"{folder}/manifest")
        with open(f"{folder}/losing", "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\n{programs.replay} "$@"\nexit 74\n')
        os.chmod(f"{folder}/losing", 0o755)
        failed = subprocess.run(
            [f"{SPARK}/batch/tally-shard", f"{folder}/manifest", f"{folder}/out", "0", "--", *programs.plugins],
            env={**os.environ, "TALLY_REPLAY": f"{folder}/losing"},
            capture_output=True,
            text=True,
        )
        assert failed.returncode == 74 and "shard 0: tally-replay ended with 74" in failed.stderr, failed.stderr
        assert os.listdir(f"{folder}/out") == []


def what_is_wrong_is_said(programs):
    """A manifest that is not there, words that are missing, and a place where nothing can be written."""
    with tempfile.TemporaryDirectory(prefix="tally-shards-") as folder:
        none = f"{folder}/none"
        for words, code, text in (
            (["parallel.sh", none, folder, "--", "--quiet"], 66, "there is no such manifest"),
            (["parallel.sh", none, folder, "--jobs", "2"], 64, "usage: parallel.sh MANIFEST"),
            (["tally-shard", none, folder, "0", "--", "--quiet"], 66, "there is no such manifest"),
        ):
            run = subprocess.run([f"{SPARK}/batch/{words[0]}", *words[1:]], capture_output=True, text=True)
            assert run.returncode == code and text in run.stderr, (words, run.returncode, run.stderr)
        os.mkdir(f"{folder}/in")
        made_archives.small(f"{folder}/in", 1, 1)
        words = ["--program", programs.replay, "--archives", f"{folder}/in", "-o", f"{none}/manifest"]
        assert "cannot write it" in programs.spark("manifest", *words, code=73)


def main():
    programs = Programs(sys.argv[1] if len(sys.argv) > 1 else ".build/debug")
    for seed, trouble, cut in ((1, False, False), (2, True, False), (3, True, True)):
        shards_are_the_whole(programs, seed, trouble, cut)
    exit_codes_count(programs)
    what_is_wrong_is_said(programs)
    print("spark: shards say what the whole says")


if __name__ == "__main__":
    main()

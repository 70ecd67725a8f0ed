"""Replays one shard, on whichever machine: `tally-replay` does it, and its exit code and its summary are looked at."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any

from tally_spark import hadoop
from tally_spark.failure import BAD_DATA, DIFFERENCE, NEWER_VERSION, NO_INPUT, PLUGIN_FAILED, SUCCESS, Failure
from tally_spark.manifest import Unit, shard_line

# How much of what went wrong is told.
_TOLD = 2000


@dataclass(frozen=True)
class Work:
    """What each worker needs to know, besides its shard."""

    # The program `tally-replay`, where it lies on each machine.
    program: str = "tally-replay"
    # Options for it, behind those that say what is read.
    options: tuple[str, ...] = ()
    # The settings of Hadoop, where archives are not at hand.
    hadoop: dict[str, str] = field(default_factory=dict)


def folder() -> tempfile.TemporaryDirectory[str]:
    """A folder for what a shard needs meanwhile, on the disks that the cluster has for that."""
    places = os.environ.get("SPARK_LOCAL_DIRS") or os.environ.get("LOCAL_DIRS") or ""
    first = places.split(",")[0]
    return tempfile.TemporaryDirectory(prefix="tally-", dir=first if os.path.isdir(first) else None)


def staged(work: Work, number: int, shard: Unit, place: str) -> str:
    """Writes the manifest of one shard, with copies of what is not at hand, and says where."""
    archives: list[list[dict[str, Any]]] = []
    for pieces in shard.archives:
        archives.append([])
        for piece in pieces:
            path = hadoop.local_path(piece["path"])
            if path is None:
                archives[-1].append(_copied(work, piece, place, f"{len(archives)}-{len(archives[-1])}"))
            else:
                archives[-1].append({**piece, "path": path})
    unit = Unit(archives, shard.size, shard.runs)
    manifest = os.path.join(place, "manifest")
    with open(manifest, "w", encoding="utf-8") as file:
        file.write('{"tally_manifest":1,"shards":1}\n' + shard_line(0, unit) + "\n")
    return manifest


def _copied(work: Work, piece: dict[str, Any], place: str, number: str) -> dict[str, Any]:
    # Only plain text can be copied in parts; a file's name is for messages.
    plain = not piece["path"].endswith((".gz", ".zst"))
    lines = piece.get("lines")
    target = os.path.join(place, f"{number}-{os.path.basename(piece['path'])}")
    size = hadoop.files(work.hadoop).copy(piece["path"], lines if plain else None, target)
    if size != piece["bytes"]:
        text = f"{piece['path']}: the archive has {size} bytes, and had {piece['bytes']} when the manifest was made"
        raise Failure(f"{text}: make the manifest anew", BAD_DATA)
    if lines is not None and plain:
        size = sum(lines[1::2]) - sum(lines[::2])
        if os.path.getsize(target) != size:
            raise Failure(f"{piece['path']}: {os.path.getsize(target)} bytes of {size} could be read", NO_INPUT)
        lines = [0, size]
    return {"path": target} if lines is None else {"path": target, "lines": lines}


class Replay:
    """One process of `tally-replay` with one shard."""

    def __init__(self, work: Work, number: int, manifest: str, options: Sequence[str], command: Sequence[str] = ()) -> None:
        self._number = number
        self._place = os.path.dirname(manifest)
        self._errors: IO[bytes] = tempfile.TemporaryFile(dir=self._place)  # noqa: SIM115
        self._work = work
        words = [work.program, *command, "--manifest", manifest, "--shard", "0", *options]
        try:
            self._process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=self._errors)
        except OSError as error:
            text = f"{work.program}: cannot run it: {error.strerror}; it has to be on each machine"
            raise self.failure(text, PLUGIN_FAILED) from error

    @property
    def output(self) -> IO[bytes]:
        """What it writes to standard output."""
        assert self._process.stdout is not None
        return self._process.stdout

    def end(self) -> int:
        """Waits for it, and says how it ended; a signal is a number below 0."""
        self.output.close()
        return self._process.wait()

    def kill(self) -> None:
        """Ends it, when nobody wants what it says."""
        if self._process.poll() is None:
            self._process.kill()
            self.end()

    def failure(self, what: str, code: int) -> Failure:
        """A failure of this shard, with what the program said."""
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip()[-_TOLD:]
        return Failure(f"shard {self._number}: {what}{': ' + said if said else ''}", code)


@contextmanager
def replay(work: Work, number: int, shard: Unit, options: Sequence[str], command: Sequence[str] = ()) -> Iterator[Replay]:
    """Replays a shard; what it says is to be read, then its end."""
    with folder() as place:
        replay = Replay(work, number, staged(work, number, shard, place), [*options, *work.options], command)
        try:
            yield replay
        finally:
            replay.kill()


def outcome(replay: Replay, summary_path: str) -> dict[str, Any]:
    """The summary of a replay that has done its work; what is damaged in a shard is in it.

    Throws what ended it before, or what makes its output incomplete.
    """
    code = replay.end()
    try:
        with open(summary_path, encoding="utf-8") as file:
            summary: dict[str, Any] = json.load(file)
    except (OSError, ValueError):
        summary = {}
    if code < 0:
        raise replay.failure(f"tally-replay was ended by signal {-code}", PLUGIN_FAILED)
    # Archives that are damaged or newer are done with as far as that goes, and so are trackers that return errors.
    done = code in (SUCCESS, DIFFERENCE, BAD_DATA, NEWER_VERSION)
    done = done or (code == PLUGIN_FAILED and not summary.get("failures"))
    if not done or not summary or summary.get("stopped"):
        raise replay.failure(f"tally-replay ended with {code}", code or PLUGIN_FAILED)
    return summary

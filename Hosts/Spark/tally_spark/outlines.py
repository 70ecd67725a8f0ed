"""Which runs have lines in an archive, and where: from its index, or else by `tally-replay outline`."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tally_spark.failure import NO_INPUT, PLUGIN_FAILED, Failure

# What the names of archives in a folder end with.
SUFFIXES = tuple(name + packed for name in (".tally", ".jsonl") for packed in ("", ".gz", ".zst"))


@dataclass(frozen=True)
class Lines:
    """The lines of a run in an archive."""

    run: str
    # Wall clock at the run's time 0, microseconds since 1970; None where its header is in another archive.
    epoch: int | None
    # The number of the first of them.
    first: int
    # Where they lie in the plain text, begin and end by turns, rising; None when that is in too many places.
    places: tuple[int, ...] | None


@dataclass(frozen=True)
class Outline:
    """An archive, as far as it matters to whoever deals its runs out."""

    path: str
    # Bytes of the file, and of its plain text.
    size: int
    plain: int
    # Whether each byte is in a line of a run that can be replayed.
    good: bool
    # Whether the first line is perhaps the rest of another archive's last one, and whether its own was cut off.
    head: bool
    tail: bool
    runs: tuple[Lines, ...]

    @property
    def is_plain(self) -> bool:
        """Whether its lines can be read without what is before them."""
        return self.size == self.plain


def of_index(path: str, size: int, content: bytes, state: os.stat_result | None) -> Outline | None:
    """What an index says of an archive of this size; None when it cannot be believed.

    `state` is that of the archive's file where it lies at hand: there an index is good for that very file, as it is for
    `tally-replay`. A copy on another file system is known by its size, and its replay refuses lines that are cut.
    """
    head, _, lines = content.partition(b"\n")
    try:
        first = json.loads(head)
        runs = [json.loads(line) for line in lines.splitlines()]
        of = first["archive"]
        if first["tally_index"] != 1 or first["sha256"] != hashlib.sha256(lines).hexdigest() or of["bytes"] != size:
            return None
        if state is not None and (of["inode"], of["changed_ns"]) != (state.st_ino, state.st_ctime_ns):
            return None
        found = tuple(Lines(run["run"], run["epoch_us"], 0, _places(run["lines"])) for run in runs)
    except (ValueError, KeyError, TypeError):
        return None
    plain = max((lines.places[-1] for lines in found if lines.places), default=0)
    return Outline(path, size, plain, bool(found), False, False, found)


def _places(value: list[int] | None) -> tuple[int, ...] | None:
    return None if value is None else tuple(value)


def of_program(program: str, paths: dict[str, tuple[str, int]]) -> list[Outline]:
    """The outlines of files by `tally-replay outline`; `paths` has the name and the size to give each."""
    if not paths:
        return []
    command = [program, "outline", "--quiet", "--files-from", "-"]
    try:
        run = subprocess.run(command, input="\n".join(paths) + "\n", capture_output=True, text=True, check=False)
    except OSError as error:
        raise Failure(f"{program}: cannot run it: {error.strerror}; name it with --program", PLUGIN_FAILED) from error
    if run.returncode != 0:
        raise Failure(f"{program} outline: {run.stderr.strip()}", run.returncode if run.returncode > 0 else NO_INPUT)
    return [_of_program(json.loads(line), paths) for line in run.stdout.splitlines()]


def _of_program(value: dict[str, Any], paths: dict[str, tuple[str, int]]) -> Outline:
    name, size = paths[value["archive"]]
    runs = tuple(Lines(run["run"], run["epoch_us"], run["n"], _places(run["lines"])) for run in value["runs"])
    return Outline(name, size, value["plain_bytes"], value["good"], value["head"], value["tail"], runs)


def of_files(program: str, paths: Iterable[str]) -> list[Outline]:
    """The outlines of files at hand."""
    found: dict[str, Outline] = {}
    others: dict[str, tuple[str, int]] = {}
    for path in paths:
        try:
            state = os.stat(path)
            index = None
            if os.path.exists(path + ".index"):
                with open(path + ".index", "rb") as file:
                    index = of_index(path, state.st_size, file.read(), state)
        except OSError as error:
            raise Failure(f"{path}: cannot read the archive: {error.strerror}", NO_INPUT) from error
        if index is not None:
            found[path] = index
        else:
            others[path] = (path, state.st_size)
    for outline in of_program(program, others):
        found[outline.path] = outline
    return [found[path] for path in sorted(found)]


def expand(patterns: Iterable[str]) -> list[str]:
    """The archives at hand that patterns and folders stand for, by name; `**` stands for any folders."""
    import glob

    paths: set[str] = set()
    for pattern in patterns:
        named = [pattern] if os.path.exists(pattern) else glob.glob(pattern, recursive=True)
        before = len(paths)
        for path in named:
            if os.path.isdir(path):
                entries = (entry for entry in os.scandir(path) if entry.name.endswith(SUFFIXES))
                paths.update(entry.path for entry in entries if not entry.name.startswith(".") and entry.is_file())
            elif not (path.endswith(".index") and os.path.exists(path[:-6])):
                paths.add(path)
        if len(paths) == before and not named:
            raise Failure(f"{pattern}: there is no such archive", NO_INPUT)
    if not paths:
        raise Failure(f"{' '.join(patterns)}: no file in it ends in .tally or .jsonl, plain, .gz or .zst", NO_INPUT)
    return sorted(os.path.abspath(path) for path in paths)

"""Deals whole runs of archives out to even shards, and the file that says how.

A run whose lines lie in several archives is put together by the numbers of its lines. What is not good is never cut: such
archives are read whole, with those that their runs go on in.
"""

from __future__ import annotations

import heapq
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from tally_spark.failure import BAD_DATA, NEWER_VERSION, NO_INPUT, Failure
from tally_spark.outlines import Lines, Outline

FORMAT = 1
# What a shard takes when nothing else is asked for, bytes of plain text.
SHARD_BYTES = 256 << 20
# Less than that is not dealt out to as many as there are: to begin a shard costs more.
_LEAST_BYTES = 16 << 20
# What opening an archive costs, in bytes that are replayed meanwhile.
_OPENING = 8 << 10
# Into how many pieces a shard's worth of a large archive is cut, so that shards can be even.
_PIECES = 4


@dataclass
class Unit:
    """What is dealt out together: archives, each of pieces that follow one another."""

    archives: list[list[dict[str, Any]]] = field(default_factory=list)
    # Bytes of plain text, and runs that begin in it.
    size: int = 0
    runs: int = 0

    def add(self, *pieces: dict[str, Any], size: int, runs: int) -> None:
        """Adds an archive."""
        self.archives.append(list(pieces))
        self.size += size
        self.runs += runs


@dataclass
class Manifest:
    """Shards, as lines of JSON."""

    shards: list[Unit]
    archives: int

    @property
    def runs(self) -> int:
        """How many runs begin in all shards."""
        return sum(shard.runs for shard in self.shards)

    @property
    def size(self) -> int:
        """Bytes of plain text of all shards."""
        return sum(shard.size for shard in self.shards)

    def lines(self) -> Iterator[str]:
        """The text, line by line."""
        head = {"tally_manifest": FORMAT, "shards": len(self.shards), "archives": self.archives}
        yield _text({**head, "runs": self.runs, "bytes": self.size})
        for number, shard in enumerate(self.shards):
            yield shard_line(number, shard)

    def write(self, file: IO[str]) -> None:
        """Writes the text."""
        for line in self.lines():
            file.write(line + "\n")


def shard_line(number: int, shard: Unit) -> str:
    """The line of a shard."""
    return _text({"shard": number, "runs": shard.runs, "bytes": shard.size, "archives": shard.archives})


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def read(path: str) -> Manifest:
    """Reads a manifest, with the checks that `tally-replay` makes of one."""
    try:
        with open(path, encoding="utf-8") as file:
            head = json.loads(file.readline())
            if head["tally_manifest"] > FORMAT:
                raise Failure(f"{path}: a newer version made the manifest", NEWER_VERSION)
            shards = [json.loads(line) for line in file]
            if [shard["shard"] for shard in shards] != list(range(head["shards"])):
                raise ValueError
            units = [Unit(shard["archives"], shard["bytes"], shard["runs"]) for shard in shards]
            return Manifest(units, head["archives"])
    except OSError as error:
        raise Failure(f"{path}: cannot read the manifest: {error.strerror}", NO_INPUT) from error
    except (ValueError, KeyError, TypeError) as error:
        raise Failure(f"{path}: the manifest is damaged, or this is none: make it anew", BAD_DATA) from error


def make(
    outlines: Iterable[Outline], shards: int | None = None, shard_bytes: int = SHARD_BYTES, at_once: int = 1
) -> Manifest:
    """Deals the runs of archives out; the same archives make the same manifest.

    Without a number of `shards` each has about so many bytes, and there is one for each that can work `at_once`.
    """
    archives = sorted(outlines, key=lambda outline: outline.path)
    total = sum(outline.plain for outline in archives)
    count = shards or max(1, -(-total // shard_bytes), min(at_once, total // _LEAST_BYTES))
    units = list(_units(archives, max(1, total // count // _PIECES)))
    # The largest first, each to the shard that has least.
    units.sort(key=lambda unit: -_cost(unit))
    dealt = [Unit() for _ in range(max(1, min(count, len(units))))]
    least = [(0, number) for number in range(len(dealt))]
    for unit in units:
        cost, number = least[0]
        dealt[number].archives += unit.archives
        dealt[number].size += unit.size
        dealt[number].runs += unit.runs
        heapq.heapreplace(least, (cost + _cost(unit), number))
    for shard in dealt:
        shard.archives.sort(key=lambda pieces: (pieces[0]["path"], pieces[0].get("lines", [0])))
    return Manifest([shard for shard in dealt if shard.archives], len(archives))


def _cost(unit: Unit) -> int:
    return unit.size + _OPENING * sum(len(pieces) for pieces in unit.archives)


def _units(archives: Sequence[Outline], piece: int) -> Iterator[Unit]:
    """What may be dealt out apart; plain archives are cut between runs into pieces of about so many bytes."""
    places: dict[str, set[int]] = defaultdict(set)
    for number, archive in enumerate(archives):
        for lines in archive.runs:
            places[lines.run].add(number)
    shared = {run for run, numbers in places.items() if len(numbers) > 1}
    whole = _uncut(archives, places)
    for group in _groups(archives, places, whole):
        unit = Unit()
        for number in group:
            begun = {(lines.run, lines.epoch) for lines in archives[number].runs if lines.epoch is not None}
            unit.add(_piece(archives[number], None), size=archives[number].plain, runs=len(begun))
        yield unit
    for number, archive in enumerate(archives):
        if number not in whole:
            own = [lines for lines in archive.runs if lines.run not in shared]
            yield from _cut(archive, own, piece if archive.is_plain else archive.plain)
    apart = {run: numbers for run, numbers in places.items() if run in shared and not numbers & whole}
    yield from _joined(archives, apart, piece)


def _uncut(archives: Sequence[Outline], places: dict[str, set[int]]) -> set[int]:
    """The archives that are read whole: those that are not good, and those that their runs go on in."""
    whole: set[int] = set()
    waiting = [
        number
        for number, archive in enumerate(archives)
        if not archive.good or any(lines.places is None for lines in archive.runs)
    ]
    while waiting:
        number = waiting.pop()
        if number not in whole:
            whole.add(number)
            waiting += [other for lines in archives[number].runs for other in places[lines.run]]
    return whole


def _groups(archives: Sequence[Outline], places: dict[str, set[int]], whole: set[int]) -> list[list[int]]:
    """Archives that are read whole, each with those that it may be a part of one with."""
    first = {number: number for number in whole}

    def group(number: int) -> int:
        while first[number] != number:
            first[number] = first[first[number]]
            number = first[number]
        return number

    def join(numbers: Iterable[int]) -> None:
        groups = {group(number) for number in numbers}
        for number in groups:
            first[number] = min(groups)

    for number in whole:
        for lines in archives[number].runs:
            join(places[lines.run])
    # A line that was cut between two files joins them, and which those are a replay finds out.
    if any(archives[number].head for number in whole) and any(archives[number].tail for number in whole):
        join(number for number in whole if archives[number].head or archives[number].tail)
    groups: dict[int, list[int]] = defaultdict(list)
    for number in sorted(whole):
        groups[group(number)].append(number)
    return list(groups.values())


def _cut(archive: Outline, runs: Sequence[Lines], piece: int) -> Iterator[Unit]:
    """The runs of an archive that lie in no other one."""
    of_id: dict[str, list[Lines]] = defaultdict(list)
    for lines in runs:
        of_id[lines.run].append(lines)
    taken: list[Lines] = []
    size = 0
    for same in sorted(of_id.values(), key=lambda same: (same[0].places or (0,))[0]):
        taken += same
        size += sum(_size(lines) for lines in same)
        if size >= piece:
            yield _unit([(archive, taken)])
            taken, size = [], 0
    if taken:
        yield _unit([(archive, taken)])


def _joined(archives: Sequence[Outline], places: dict[str, set[int]], piece: int) -> Iterator[Unit]:
    """Runs whose lines lie in several archives; those that go through the same ones lie together."""
    ways: dict[tuple[int, ...], list[str]] = defaultdict(list)
    lines_of: dict[tuple[str, int], list[Lines]] = defaultdict(list)
    for number, archive in enumerate(archives):
        for lines in archive.runs:
            if lines.run in places:
                lines_of[lines.run, number].append(lines)
    for run, numbers in sorted(places.items()):
        epochs = {lines.epoch for number in numbers for lines in lines_of[run, number] if lines.epoch is not None}
        if len(epochs) > 1:
            # Several runs have this id: nobody can say which of them goes on.
            unit = Unit()
            for number in sorted(numbers):
                part = _unit([(archives[number], lines_of[run, number])])
                unit.add(*part.archives[0], size=part.size, runs=part.runs)
            yield unit
            continue
        # A header may stand in front of each part: it says where a part belongs as little as it does to a replay.
        order = sorted(numbers, key=lambda number: (min(lines.first for lines in lines_of[run, number]), number))
        ways[tuple(order)].append(run)
    for way, runs in sorted(ways.items()):
        taken: list[str] = []
        size = 0
        for run in runs:
            taken.append(run)
            size += sum(_size(lines) for number in way for lines in lines_of[run, number])
            if size >= piece or run == runs[-1]:
                yield _unit([(archives[at], [lines for one in taken for lines in lines_of[one, at]]) for at in way])
                taken, size = [], 0


def _unit(parts: Sequence[tuple[Outline, Sequence[Lines]]]) -> Unit:
    """Runs of one or several archives, which are read one behind the other."""
    pieces = [_piece(archive, runs) for archive, runs in parts]
    begun = {(lines.run, lines.epoch) for _, runs in parts for lines in runs if lines.epoch is not None}
    unit = Unit()
    unit.add(*pieces, size=sum(_size(lines) for _, runs in parts for lines in runs), runs=len(begun))
    return unit


def _piece(archive: Outline, runs: Sequence[Lines] | None) -> dict[str, Any]:
    piece: dict[str, Any] = {"path": archive.path, "bytes": archive.size}
    if runs is None:
        return piece
    bounds: list[int] = []
    for begin, end in sorted(pair for lines in runs for pair in _pairs(lines)):
        if bounds and bounds[-1] == begin:
            bounds[-1] = end
        else:
            bounds += [begin, end]
    piece["lines"] = bounds
    return piece


def _pairs(lines: Lines) -> Iterator[tuple[int, int]]:
    places = lines.places or ()
    yield from zip(places[::2], places[1::2])


def _size(lines: Lines) -> int:
    return sum(end - begin for begin, end in _pairs(lines))

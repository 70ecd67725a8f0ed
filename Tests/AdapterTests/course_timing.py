"""When and where things happened in a course: as they were told, and as players and server know it themselves."""

from course_players import Word
from course_server import Gate

# What may lie between what was told and what was, ms.
LIMIT_MS = 150
# Of two waits less apart, and of one that is shorter, a viewer sees nothing, ms.
SHORT_MS = 100
# What the course says and players do not choose. How long a seek takes and how much is kept to go on with is theirs to
# choose: it is compared with what each wrote of itself.
COMMON = ["pause", "seek from", "seek to", "refill", "end place"]
# A place is the last one that the player was asked for: so much earlier at most.
LOOK_MS = 250


def _event(lines: "list[dict[str, object]]", name: str, number: int = 0) -> "dict[str, object] | None":
    found = [line for line in lines if line.get("event") == name]
    return found[number] if len(found) > number else None


def _ms(line: "dict[str, object] | None") -> float:
    return float(str(line["t_us"])) / 1000 if line else float("nan")


def _playhead(line: "dict[str, object] | None") -> float:
    state = line.get("state") if line else None
    return float(state.get("playhead_ms", "nan")) if isinstance(state, dict) else float("nan")


def is_stall(line: "dict[str, object]") -> bool:
    """Whether it begins a wait in the midst of playback, which all players can know."""
    attributes = line.get("attributes")
    cause = attributes.get("buffer_cause") if isinstance(attributes, dict) else None
    return line.get("event") == "buffer_start" and cause in ("stall", "frozen")


def stalls(lines: "list[dict[str, object]]") -> "list[tuple[dict[str, object], dict[str, object]]]":
    """The waits in the midst of playback, each with its end.

    One that begins again at once is the same, and what is over at once is none: GStreamer's buffers call themselves not
    quite full for a moment, and programs halt for it.
    """
    waits = [line for line in lines if line.get("event") in ("buffer_start", "buffer_complete")]
    found: "list[tuple[dict[str, object], dict[str, object]]]" = []
    for start, end in zip(waits, waits[1:]):
        if not is_stall(start):
            continue
        if found and 0 <= _ms(start) - _ms(found[-1][1]) < SHORT_MS:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return [(start, end) for start, end in found if _ms(end) - _ms(start) >= SHORT_MS]


def measure(lines: "list[dict[str, object]]", gate: Gate) -> "dict[str, float]":
    """The times and places that were told, ms. `refill` is from when the server went on to when playback did."""
    measured: "dict[str, float]" = {}
    pause, seek, seeked = _event(lines, "pause"), _event(lines, "seek_start"), _event(lines, "seek_complete")
    if pause and seek and seeked:
        attributes = seek["attributes"]
        assert isinstance(attributes, dict)
        measured["pause"] = _ms(_event(lines, "play", 1)) - _ms(pause)
        measured["pause place"] = _playhead(pause)
        measured["seek"] = _ms(seeked) - _ms(seek)
        measured["seek from"] = float(attributes["seek_from_ms"])
        measured["seek to"] = _playhead(seeked)
    header = lines[0]["tally"]
    assert isinstance(header, dict)
    for start, end in stalls(lines):
        measured["stall"] = _ms(end) - _ms(start)
        measured["stall place"] = _playhead(start)
        measured["refill"] = (header["epoch_us"] - gate.opened_us) / 1000 + _ms(end)
    measured["end place"] = _playhead(_event(lines, "complete"))
    return measured


def own(words: "list[Word]") -> "dict[str, float]":
    """The same, as the player wrote it of itself."""
    known: "dict[str, float]" = {}
    pairs = {"pause": ("pause", "resume"), "seek": ("seek", "seeked")}
    for name, (first, second) in pairs.items():
        begin = next((word for word in words if word.word == first), None)
        end = next((word for word in words if word.word == second), None)
        if begin and end:
            known[name] = (end.time_us - begin.time_us) / 1000
            known["pause place" if name == "pause" else "seek from"] = begin.place_ms
    halts = [word for word in words if word.word in ("halt", "go_on")]
    # A page hears that it waits when it seeks, and of the stall only that it goes on, elsewhere: that is no pair.
    waits = [
        (begin, end)
        for begin, end in zip(halts, halts[1:])
        if begin.word == "halt" and begin.place_ms > 0 and abs(end.place_ms - begin.place_ms) <= LIMIT_MS
    ]
    longest = max(waits, key=lambda pair: pair[1].time_us - pair[0].time_us, default=None)
    if longest:
        known["stall"] = (longest[1].time_us - longest[0].time_us) / 1000
        known["stall place"] = longest[0].place_ms
    return known


def faults(measured: "dict[str, float]", known: "dict[str, float]") -> "list[str]":
    """What was told otherwise than it was."""
    truth = {**known, "end place": 14_000.0}
    if "seek" in measured:
        truth["seek to"] = 4_000.0
        truth.setdefault("pause", 500.0)
    found = []
    for name, value in truth.items():
        early = LIMIT_MS + (LOOK_MS if name.endswith("place") else 0)
        if name in measured and not -early <= measured[name] - value <= LIMIT_MS:
            found.append(f"{name} is told as {measured[name]:.0f} ms and was {value:.0f} ms")
    return found


def text(measured: "dict[str, float]") -> str:
    return ", ".join(f"{name} {value:.0f}" for name, value in measured.items())


def differences(results: "dict[str, dict[str, float]]") -> "list[str]":
    """Where players are farther apart than may be, of what is not theirs to choose."""
    found = []
    for name in COMMON:
        values = {player: measured[name] for player, measured in results.items() if name in measured}
        if values and not max(values.values()) - min(values.values()) <= LIMIT_MS:
            found.append(f"{name}: " + ", ".join(f"{player} {value:.0f} ms" for player, value in values.items()))
    return found

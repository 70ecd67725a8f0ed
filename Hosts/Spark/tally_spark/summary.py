"""What the replays of all shards came to together, as `tally-replay` tells it of one."""

from __future__ import annotations

import json
from typing import Any

from tally_spark.failure import worst

_COUNTS = (
    *("archives", "lines", "reordered", "repeated", "bytes", "runs", "unselected_runs", "open_runs", "ended_runs"),
    *("sessions", "events", "run_time_us", "records", "beacons", "tracker_errors", "damaged"),
)
_PLACES = 100
_PLACES_SHOWN = 10


def total(summaries: dict[int, dict[str, Any]], elapsed: float, archives: int) -> dict[str, Any]:
    """The summaries of shards, by their numbers, as one; `archives` are those that were dealt out."""
    whole: dict[str, Any] = {"shards": len(summaries)}
    for name in _COUNTS:
        whole[name] = sum(summary.get(name, 0) for summary in summaries.values())
    # What a shard reads of an archive is one to it.
    whole["archives"] = archives
    ordered = sorted(summaries.items())
    whole["places"] = [f"shard {number}: {place}" for number, one in ordered for place in one["places"]][:_PLACES]
    whole["failures"] = [{**failure, "shard": number} for number, one in ordered for failure in one["failures"]]
    whole["repeated_shards"] = {str(number): one["attempt"] for number, one in ordered if one.get("attempt", 0) > 0}
    whole["processor_us"] = sum(one.get("processor_us", 0) for one in summaries.values())
    whole["elapsed_us"] = int(elapsed * 1e6)
    whole["exit_code"] = worst([one["exit_code"] for one in summaries.values()])
    return whole


def text(whole: dict[str, Any]) -> str:
    """The same for people."""
    head = f"Replayed {counted(whole['archives'], 'archive')} ({_bytes(whole['bytes'])}, {counted(whole['lines'], 'line')})"
    ended = whole["open_runs"]
    rows = [
        ("shards", f"{whole['shards']:,}"),
        ("player runs", f"{whole['runs']:,}" + (f" ({ended:,} without an end)" if ended else "")),
        ("sessions", f"{whole['sessions']:,}"),
        ("events", f"{whole['events']:,}"),
        ("records", f"{whole['records']:,}"),
        ("beacons", f"{whole['beacons']:,}"),
    ]
    if whole["repeated"]:
        rows.append(("came again", counted(whole["repeated"], "line") + ", left out"))
    lines = [f"{head} in {whole['elapsed_us'] / 1e6:.1f} s"] + [f"  {name:<12} {value}" for name, value in rows]
    for number, attempt in whole["repeated_shards"].items():
        lines.append(f"warning: shard {number} was begun {attempt + 1} times")
    if whole["damaged"]:
        lines.append(f"warning: damaged places in the archives: {whole['damaged']:,}")
        lines += ["warning: " + place for place in whole["places"][:_PLACES_SHOWN]]
    lines += [f"error: shard {one['shard']}: {one['message']}" for one in whole["failures"][:_PLACES_SHOWN]]
    if whole["tracker_errors"]:
        lines.append(
            f"warning: trackers returned {counted(whole['tracker_errors'], 'error')}: what they say may not be complete"
        )
    return "\n".join(lines)


def line(whole: dict[str, Any]) -> str:
    """The same as one line of JSON."""
    return json.dumps(whole, separators=(",", ":"))


def counted(count: int, what: str) -> str:
    """A number with its word."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _bytes(count: int) -> str:
    size, unit = float(count), "bytes"
    for larger in ("kB", "MB", "GB", "TB", "PB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    return f"{size:.1f} {unit}" if unit != "bytes" else counted(count, "byte")

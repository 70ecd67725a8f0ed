"""What `jsonlines` writes of a shard, as columns: each line as it is, with what it is found by."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import IO, Any

from tally_spark import shards
from tally_spark.manifest import Unit
from tally_spark.shards import Work

# A line of jsonlines is at most some MiB long; so much is read at once.
_BLOCK = 8 << 20

# The columns of the table, in Spark's words; `date` and `plugin` are folders.
COLUMNS = (
    "line string, kind string, run string, instance string, session int, n bigint, t_us bigint, time timestamp, "
    "video_id string, text string, date date, plugin string"
)


def blocks(source: IO[bytes]) -> Iterator[bytes]:
    """The bytes of a stream in blocks of whole lines."""
    rest = b""
    while True:
        read = source.read(_BLOCK)
        if not read:
            break
        end = read.rfind(b"\n") + 1
        if end == 0:
            rest += read
            continue
        yield rest + read[:end]
        rest = read[end:]
    if rest:
        yield rest


def columns(block: bytes) -> Any:
    """The lines of a block as a record batch of Arrow."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import json as pj

    schema = pa.schema(
        [
            ("line", pa.string()),
            ("kind", pa.string()),
            ("run", pa.string()),
            ("instance", pa.string()),
            ("session", pa.int32()),
            ("n", pa.int64()),
            ("t_us", pa.int64()),
            ("time", pa.string()),
            ("video_id", pa.string()),
            ("plugin", pa.string()),
        ]
    )
    table = pj.read_json(
        io.BytesIO(block),
        read_options=pj.ReadOptions(use_threads=False, block_size=len(block) + 1),
        parse_options=pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
    )
    text = pc.split_pattern(pa.array([block[:-1] if block.endswith(b"\n") else block], pa.binary()).cast(pa.string()), "\n")
    found = {name: table[name].combine_chunks() for name in schema.names}
    # RFC 3339 in UTC with six digits of a second, the same length always.
    time = pc.strptime(pc.utf8_slice_codeunits(found["time"], 0, 19), "%Y-%m-%dT%H:%M:%S", "us")
    second = pc.cast(pc.utf8_slice_codeunits(found["time"], 20, 26), pa.int64())
    time = pc.add(time.cast(pa.int64()), second).cast(pa.timestamp("us"))
    found["date"] = time.cast(pa.date32(), safe=False)
    found["time"] = time.cast(pa.timestamp("us", "UTC"))
    found["text"] = text.flatten()
    names = [column.split()[0] for column in COLUMNS.split(", ")]
    arrays = [found[name].chunk(0) if isinstance(found[name], pa.ChunkedArray) else found[name] for name in names]
    return pa.RecordBatch.from_arrays(arrays, names)


def of_shard(work: Work, number: int, shard: Unit, plugins: str, summaries: Any) -> Iterator[Any]:
    """Replays a shard and gives what its trackers say; its summary comes last."""
    with shards.folder() as place:
        summary_path = os.path.join(place, "summary.json")
        options = [
            *("--plugins", plugins, "--set", "plugins.jsonlines.config.path=-"),
            *("--quiet", "--summary", summary_path),
        ]
        before = os.times()
        with shards.replay(work, number, shard, options) as replay:
            for block in blocks(replay.output):
                yield columns(block)
            summary = shards.outcome(replay, summary_path)
        after = os.times()
        summary["processor_us"] = int(
            1e6 * (after.children_user + after.children_system - before.children_user - before.children_system)
        )
        summaries(number, summary)

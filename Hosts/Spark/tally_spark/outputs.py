"""What `jsonlines` writes of a shard, as columns: each line as it is, with what it is found by."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import IO, Any

from tally_spark import shards
from tally_spark.attempts import Attempt
from tally_spark.manifest import Unit
from tally_spark.shards import Work
from tally_spark.table import Table

# A line of jsonlines is at most some MiB long; so much is read at once.
_BLOCK = 8 << 20
# Where what a line is found by is over: the text behind it is long, and need not be understood. Within a text in a line the
# quotes of this would be escaped.
_REST = ',"(attributes|destination)":'
# The columns, in their order; `date` and `plugin` are folders.
_COLUMNS = "line kind run instance session n t_us time video_id text date plugin".split()


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
    lines = block[:-1] if block.endswith(b"\n") else block
    whole = pa.StringArray.from_buffers(1, pa.array([0, len(lines)], pa.int32()).buffers()[1], pa.py_buffer(lines))
    text = pc.split_pattern(whole, "\n").flatten()
    parts = pc.split_pattern_regex(text, _REST, max_splits=1)
    end = pc.if_else(pc.equal(pc.list_value_length(parts), 2), "}\n", "\n")
    heads = pc.binary_join_element_wise(pc.list_element(parts, 0), end, "").buffers()[2]
    table = pj.read_json(
        pa.BufferReader(heads),
        read_options=pj.ReadOptions(use_threads=False, block_size=heads.size + 1),
        parse_options=pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
    )
    found = {name: table[name].combine_chunks() for name in schema.names}
    found["time"] = found["time"].cast(pa.timestamp("us", "UTC"))
    found["date"] = found["time"].cast(pa.timestamp("us")).cast(pa.date32(), safe=False)
    found["text"] = text
    arrays = [found[name].chunk(0) if isinstance(found[name], pa.ChunkedArray) else found[name] for name in _COLUMNS]
    return pa.RecordBatch.from_arrays(arrays, _COLUMNS)


def of_shard(work: Work, number: int, shard: Unit, plugins: str, attempt: Attempt) -> dict[str, Any]:
    """Replays a shard into a table of what its trackers say, and gives its summary."""
    table = Table(attempt, number)
    with shards.folder() as place:
        summary_path = os.path.join(place, "summary.json")
        options = [
            *("--plugins", plugins, "--set", "plugins.jsonlines.config.path=-"),
            *("--quiet", "--summary", summary_path),
        ]
        before = os.times()
        with shards.replay(work, number, shard, options) as replay:
            for block in blocks(replay.output):
                table.add(columns(block))
            summary = shards.outcome(replay, summary_path)
        after = os.times()
    table.close()
    summary["processor_us"] = int(
        1e6 * (after.children_user + after.children_system - before.children_user - before.children_system)
    )
    return summary

"""Counts the events of an archive by type with DuckDB. usage: duckdb_aggregate.py FILE THREADS"""

import sys

import duckdb

path, threads = sys.argv[1], int(sys.argv[2])
connection = duckdb.connect()
connection.execute(f"SET threads = {threads}")
rows = connection.execute(
    "SELECT event, count(*), max(t_us) FROM read_json(?, format = 'newline_delimited', "
    "columns = {run: 'VARCHAR', n: 'BIGINT', t_us: 'BIGINT', event: 'VARCHAR', state: 'JSON', attributes: 'JSON'}) "
    "GROUP BY event ORDER BY event",
    [path],
).fetchall()
if sum(row[1] for row in rows) < 1000:
    sys.exit("duckdb_aggregate.py: there are no events")

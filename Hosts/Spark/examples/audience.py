#!/usr/bin/env python3
"""How many sessions were on in each minute, and how often they stalled, as the lines of events come: an example of Spark's
Structured Streaming, to begin your own aggregates with.

usage: audience.py --lines FOLDER | --kafka BROKERS --topic TOPIC  --out FOLDER --checkpoint FOLDER [--once] [--late SECONDS]

FOLDER gets files that the reporter jsonlines has finished (events: true, rotate_bytes and rotate_s, compress: "gzip"), a topic
lines that the reporter kafka writes (its plugin for Spark has to be there: --packages org.apache.spark:spark-sql-kafka-0-10_2.13).
A minute is written once no line is waited for that belongs to it, --late seconds (120) behind the newest time; with --once what
is there now is read, and the program ends. What was read is in the checkpoint: a program that is killed goes on behind it.
"""

import argparse
import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f


def lines(spark: SparkSession, asked: argparse.Namespace) -> DataFrame:
    """The lines as they come, in a column `value`."""
    if asked.kafka:
        topic = spark.readStream.format("kafka").option("kafka.bootstrap.servers", asked.kafka).option("subscribe", asked.topic)
        return topic.option("startingOffsets", "earliest").load().select(f.col("value").cast("string"))
    # A file that is still written has no number behind its name.
    return spark.readStream.option("pathGlobFilter", "*.[0-9]*").option("maxFilesPerTrigger", 1000).text(asked.lines)


def audience(value: DataFrame, late: int) -> DataFrame:
    """A row for each minute: the sessions of which anything was said in it, and the stalls that began in it."""
    line = f.from_json("value", "line STRING, run STRING, session BIGINT, type STRING, time TIMESTAMP").alias("said")
    events = value.select(line).select("said.*").where("line = 'event' AND session > 0 AND time IS NOT NULL")
    return (
        events.withWatermark("time", f"{late} seconds")
        .groupBy(f.window("time", "1 minute").alias("minute"))
        .agg(
            f.size(f.collect_set(f.concat_ws("/", "run", "session"))).alias("sessions"),
            f.sum(f.when(f.col("type") == "buffer_start", 1).otherwise(0)).alias("stalls"),
        )
        .select(f.col("minute.start").alias("minute"), "sessions", "stalls")
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines")
    parser.add_argument("--kafka")
    parser.add_argument("--topic")
    parser.add_argument("--out", required=True)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--late", type=int, default=120)
    asked = parser.parse_args()
    if bool(asked.lines) == bool(asked.kafka and asked.topic):
        parser.error("either --lines, or --kafka and --topic")
    spark = SparkSession.builder.appName("tally-audience").getOrCreate()
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    spark.conf.set("spark.sql.shuffle.partitions", spark.sparkContext.defaultParallelism)
    writing = audience(lines(spark, asked), asked.late).writeStream.outputMode("append").format("parquet")
    writing = writing.option("checkpointLocation", asked.checkpoint)
    writing = writing.trigger(availableNow=True) if asked.once else writing.trigger(processingTime="30 seconds")
    writing.start(asked.out).awaitTermination()
    return 0


if __name__ == "__main__":
    sys.exit(main())

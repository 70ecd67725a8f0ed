"""Replays archives of Tally on many machines: manifests of even shards, and Spark to run them."""

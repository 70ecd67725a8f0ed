#!/usr/bin/env bash
# One shard of a manifest, as a job of an array. Folders have to be on a file system that all nodes have.
#   sbatch --array=0-$((SHARDS - 1))%64 slurm.sh MANIFEST FOLDER -- --plugins new-relic-video,jsonlines
# SHARDS is what 'tally-spark manifest' says. Jobs that failed are tried again by the same command.
#SBATCH --job-name=tally-replay
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --requeue
set -euo pipefail
# Slurm runs a copy of this script.
exec "${TALLY_SHARD:-tally-shard}" "$@"

#!/usr/bin/env bash
# Replays all shards of a manifest with GNU parallel, here or on the machines of its --sshlogin options.
# usage: parallel.sh MANIFEST FOLDER [PARALLEL-OPTION...] -- TALLY-REPLAY-OPTION...
# A shard that fails is tried three times; those that are done are left out when it is called again.
set -euo pipefail

[[ $# -ge 3 && " $* " == *' -- '* ]] || { sed -n '2,4s/^# //p' "$0" >&2; exit 64; }
manifest=$1
folder=$2
shift 2
options=()
while [[ $# -gt 0 && $1 != -- ]]; do
    options+=("$1")
    shift
done
[[ -r $manifest ]] || { printf 'parallel.sh: %s: there is no such manifest\n' "$manifest" >&2; exit 66; }
shards=$(head -n 1 "$manifest" | sed -n 's/.*"shards":\([0-9]*\).*/\1/p')
[[ -n $shards ]] || { printf 'parallel.sh: %s is no manifest\n' "$manifest" >&2; exit 65; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seq 0 $((shards - 1)) |
    parallel --quote --retries 3 --halt soon,fail=1 "${options[@]}" "$here/tally-shard" "$manifest" "$folder" {} "$@"

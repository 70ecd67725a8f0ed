#!/usr/bin/env bash
# Replays the sample archive through the plugin, and compares what it says with what is right.
#
# Usage: tests/replay.sh FILE [--accept]    FILE is the built plugin; --accept: what it says now is right
# TALLY_REPLAY names the program where tally-replay is not in the path.
# Exit codes: 0 it says what is right, 1 it does not, 69 there is no tally-replay.
set -euo pipefail

file=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
replay=${TALLY_REPLAY:-tally-replay}
command -v "$replay" >/dev/null || {
    printf 'replay.sh: there is no %s: install the package tally, or name the program in TALLY_REPLAY\n' "$replay" >&2
    exit 69
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Hosts open files whose names end like this.
cp "$file" "$work/@SLUG@.tallyplugin.so"
"$replay" --quiet --plugin-dir "$work" --plugins @SLUG@,jsonlines sample.tally >"$work/said"
if [[ ${2-} == --accept ]]; then
    cp "$work/said" golden.jsonl
elif diff -u golden.jsonl "$work/said"; then
    printf 'replay.sh: @SLUG@ says what is right\n'
else
    printf 'replay.sh: see above; if this is what it should say: tests/replay.sh FILE --accept\n' >&2
    exit 1
fi

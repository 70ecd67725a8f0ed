#!/usr/bin/env bash
# Replays the sample archive through a tracker, and compares what the reporter writes of it with what is right.
#
# Usage: tests/replay.sh FILE [--accept]    FILE is the built plugin; --accept: what it writes now is right
# TALLY_REPLAY names the program where tally-replay is not in the path.
# Exit codes: 0 it writes what is right, 1 it does not, 69 there is no tally-replay.
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
"$replay" --quiet --plugin-dir "$work" --plugins example-c,@SLUG@ sample.tally >"$work/written"
if [[ ${2-} == --accept ]]; then
    cp "$work/written" golden.txt
elif diff -u golden.txt "$work/written"; then
    printf 'replay.sh: @SLUG@ writes what is right\n'
else
    printf 'replay.sh: see above; if this is what it should write: tests/replay.sh FILE --accept\n' >&2
    exit 1
fi

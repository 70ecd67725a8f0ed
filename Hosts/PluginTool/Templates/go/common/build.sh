#!/bin/sh
# Builds the plugin as the file that is named, which exports its entry and nothing of Go's runtime.
#
# Usage: ./build.sh FILE    FILE is such as build/name.tallyplugin.so
set -eu

exports=$(pkg-config --variable=exports tally-plugin)
exec go build -buildmode=c-shared -ldflags "-extldflags=-Wl,--version-script=$exports" -o "$1" .

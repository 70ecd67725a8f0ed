#!/usr/bin/env python3
"""Plays a short run through one plugin that has a process of its own. See --help."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Hosts/Python"))
import tally  # noqa: E402 (found by the line above)

USAGE = """usage: Tests/LanguageTests/play_isolated.py PROGRAMS FOLDER PLUGINS NAME MEBIBYTES

Tells of a short run by PROGRAMS/libtally.so to PLUGINS, names with commas between, which lie in FOLDER and PROGRAMS. The one
that is NAME has a process of its own with so much address space; what the host has to say of it goes to standard error.
Exit codes: 0 the run has ended, 1 the plugins cannot be used, 64 wrong arguments.
"""


def main(arguments):
    if arguments in (["--help"], ["-h"]):
        print(USAGE, end="")
        return 0
    if len(arguments) != 5:
        print("play_isolated: five arguments are needed; see --help", file=sys.stderr)
        return 64
    programs, folder, plugins, name, mebibytes = arguments
    settings = {f"plugins.{name}.isolation": "process", "isolation.memoryMebibytes": int(mebibytes)}
    try:
        with tally.open(
            plugins=plugins.split(","),
            plugin_folders=[folder, programs],
            library=os.path.join(programs, "libtally.so"),
            settings=settings,
            log=lambda line: print(line.message, file=sys.stderr),
        ) as telemetry, telemetry.run() as run:
            run.state(playhead_ms=0, duration_ms=4000, rate=1.0, muted=False)
            run.load(video_name="The coast road")
            for event in (run.play, run.first_frame, run.pause, run.unload):
                event()
    except tally.TallyError as error:
        print(f"play_isolated: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

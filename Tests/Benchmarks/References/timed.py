"""Runs a command and prints what it took, as figures of the benchmark: NAME/wall, NAME/cpu and NAME/memory.

usage: timed.py NAME BYTES COMMAND...
With BYTES above 0 also NAME/rate: megabytes a second of processor time. What the command prints is thrown away.
"""

import os
import sys
import time


def main() -> int:
    name, size, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(child, 0)
    wall = time.monotonic() - started
    code = os.waitstatus_to_exitcode(status)
    # 1 is what a comparison that found a difference ends with.
    if code not in (0, 1):
        print(f"timed.py: {' '.join(command)} ended with {code}", file=sys.stderr)
        return 1
    processor = usage.ru_utime + usage.ru_stime
    print(f"{name}/wall {wall:.4f} s")
    print(f"{name}/cpu {processor:.4f} s")
    print(f"{name}/memory {usage.ru_maxrss} KiB")
    if size:
        print(f"{name}/rate {size / 1e6 / processor:.1f} MB/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

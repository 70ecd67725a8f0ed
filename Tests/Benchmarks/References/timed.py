"""Runs a command and prints what it took, as figures of the benchmark: NAME/wall, NAME/cpu and NAME/memory.

usage: timed.py [--copies N] NAME BYTES COMMAND...
With BYTES above 0 also NAME/rate: megabytes a second of processor time. What the command prints is thrown away.
With --copies the command runs so many times at once, with {copy} in its words replaced by 1, 2 and so on, and the figures
are one copy's share: all of the wall time divided by N, the mean of the processor times, the most memory of any. What it
says on standard error is shown when it fails.
"""

import os
import sys
import tempfile
import time


def start(command: list[str], errors: int) -> int:
    child = os.fork()
    if child == 0:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(errors, 2)
        os.execvp(command[0], command)
    return child


def main() -> int:
    words = sys.argv[1:]
    copies = 1
    if words[0] == "--copies":
        copies, words = int(words[1]), words[2:]
    name, size, command = words[0], int(words[1]), words[2:]
    errors = tempfile.TemporaryFile()
    started = time.monotonic()
    children = [
        start([word.replace("{copy}", str(copy + 1)) for word in command], errors.fileno()) for copy in range(copies)
    ]
    processor = 0.0
    memory = 0
    failed = 0
    for child in children:
        _, status, usage = os.wait4(child, 0)
        processor += usage.ru_utime + usage.ru_stime
        memory = max(memory, usage.ru_maxrss)
        code = os.waitstatus_to_exitcode(status)
        # 1 is what a comparison that found a difference ends with.
        if code not in (0, 1):
            failed = code
    wall = (time.monotonic() - started) / copies
    processor /= copies
    if failed:
        errors.seek(0)
        sys.stderr.write(errors.read().decode(errors="replace"))
        print(f"timed.py: {' '.join(command)} ended with {failed}", file=sys.stderr)
        return 1
    print(f"{name}/wall {wall:.4f} s")
    print(f"{name}/cpu {processor:.4f} s")
    print(f"{name}/memory {memory} KiB")
    if size:
        print(f"{name}/rate {size / 1e6 / processor:.1f} MB/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Measures what it costs players of others that they are tracked.

measure_costs.py BUILD_FOLDER [--rounds N] [--only PART] [--adapters]

In each round gst-play-1.0 and mpv play a short and a long film, with and without what tells Tally of them, all side
by side, so that whatever disturbs the machine disturbs both alike. What counts is processor time, of the program and
the system, as the kernel says it. The difference between the long and the short film has no start in it. Figures are
medians of the rounds, with the lowest and the highest one. In turns, a decoder without a clock feeds a sink with small
buffers, which shows what one of them costs there: the processor time, and under valgrind the instructions, of which
the same number comes each time. A sink that tells of its quality answers each buffer with an event; others do not.

First, what threads of Tally take is read from the kernel as a film plays: it is exact where the difference of two plays
is lost in what disturbs them, but has nothing of what the player's own threads do for Tally.

With --adapters a library that does nothing is in the place of libtally: what is measured are the adapters alone.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

SHORT_SECONDS, LONG_SECONDS = 10, 40
FEW_BUFFERS, MANY_BUFFERS = 20_000, 1_020_000
FEW_COUNTED, MANY_COUNTED = 2_000, 22_000
# Memory is looked at so many seconds after the start of the short film, s.
LOOK_SECONDS = 7
TARGETS = {"gst-play-1.0": 1.0, "mpv": 0.5}


@dataclass
class Cost:
    """What one play took: processor time, ms, and memory in the midst of it, kB."""

    processor_ms: float
    resident_kb: int = 0
    proportional_kb: int = 0


def memory_kb(process: int, word: str) -> int:
    with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
        found = re.search(rf"^{word}:\s+(\d+)", file.read(), re.MULTILINE)
    return int(found[1]) if found else 0


def run(command: "list[str]", environment: "dict[str, str]", looks: bool = False) -> Cost:
    """Runs a program to its end."""
    process = subprocess.Popen(
        command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    cost = Cost(0)
    if looks:
        time.sleep(LOOK_SECONDS)
        cost.resident_kb = memory_kb(process.pid, "Rss")
        cost.proportional_kb = memory_kb(process.pid, "Pss")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    cost.processor_ms = (usage.ru_utime + usage.ru_stime) * 1000
    return cost


class Bench:
    """The players, with a folder for films, archives and GStreamer's registry."""

    def __init__(self, build: str, folder: str, is_silent: bool, size: str) -> None:
        self.build = build
        self.library = self._silent_library(folder) if is_silent else build + "/libtally.so"
        self.folder = folder
        self.number = 0
        self.lock = threading.Lock()
        os.makedirs(folder + "/plugins")
        os.symlink(build + "/libgsttally.so", folder + "/plugins/libgsttally.so")
        for seconds in (SHORT_SECONDS, LONG_SECONDS):
            picture = f"testsrc2=size={size}:rate=25:duration={seconds}"
            command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", picture]
            command += ["-f", "lavfi", "-i", f"sine=frequency=440:sample_rate=44100:duration={seconds}"]
            command += ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"]
            command.append(self.film(seconds))
            subprocess.run(command, check=True)
        # GStreamer looks at all of its plugins once.
        run(["gst-inspect-1.0", "tally"], self.gstreamer())

    @staticmethod
    def _silent_library(folder: str) -> str:
        tests = os.path.dirname(os.path.abspath(__file__))
        path, headers = folder + "/libsilent.so", os.path.join(tests, "../../Hosts/Library/CTally/include")
        command = ["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-I" + headers, "-o", path]
        subprocess.run([*command, os.path.join(tests, "Programs/silent_library.c")], check=True)
        return path

    def film(self, seconds: int) -> str:
        return f"{self.folder}/film-{seconds}.mp4"

    def configuration(self) -> str:
        """One tracker, and an archive in a folder of its own."""
        with self.lock:
            self.number += 1
            folder = f"{self.folder}/run-{self.number}"
        os.makedirs(folder)
        with open(folder + "/tally.json5", "w", encoding="utf-8") as file:
            json.dump({"archive": folder + "/archives/", "plugins": [{"plugin": "new-relic-video"}]}, file)
        return folder + "/tally.json5"

    def gstreamer(self) -> "dict[str, str]":
        return {"GST_PLUGIN_PATH": self.folder + "/plugins", "GST_REGISTRY": self.folder + "/registry.bin"}

    def traced(self) -> "dict[str, str]":
        parameters = f'config="{self.configuration()}",plugin-folder="{self.build}",library="{self.library}"'
        return {"GST_TRACERS": f"tally({parameters})", "SWIFT_BACKTRACE": "enable=no"}

    def play(self, player: str, seconds: int, is_tracked: bool) -> Cost:
        return run(*self.command(player, seconds, is_tracked), seconds == SHORT_SECONDS)

    def command(self, player: str, seconds: int, is_tracked: bool) -> "tuple[list[str], dict[str, str]]":
        if player == "mpv":
            command = ["mpv", "--no-config", "--vo=null", "--ao=null", "--no-terminal", self.film(seconds)]
            if is_tracked:
                options = f"tally-config={self.configuration()},tally-plugin-folder={self.build}"
                options += f",tally-library={self.library}"
                command += [f"--script={self.build}/libmpv-tally.so", "--script-opts=" + options]
            return command, {"SWIFT_BACKTRACE": "enable=no"}
        command = ["gst-play-1.0", "--videosink=fakevideosink", "--audiosink=fakesink sync=true"]
        command += ["--no-interactive", "--quiet", self.film(seconds)]
        return command, {**self.gstreamer(), **(self.traced() if is_tracked else {})}

    def feed(self, buffers: int, tells_quality: bool, is_tracked: bool, under: "tuple[str, ...]" = ()) -> Cost:
        address = f"testbin://audio,num-buffers={buffers},samplesperbuffer=1"
        command = [*under, "gst-launch-1.0", "-q", "uridecodebin", "uri=" + address, "!"]
        command += ["fakeaudiosink", "sync=false", f"qos={str(tells_quality).lower()}"]
        return run(command, {**self.gstreamer(), **(self.traced() if is_tracked else {})})

    def count(self, buffers: int, tells_quality: bool, is_tracked: bool) -> int:
        """The instructions of a whole program."""
        log = self.folder + "/instructions"
        under = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=" + log)
        self.feed(buffers, tells_quality, is_tracked, under)
        with open(log, encoding="utf-8") as file:
            return int(re.search(r"Collected : (\d+)", file.read())[1])


def side_by_side(bench: Bench, player: str) -> "dict[tuple[int, bool], Cost]":
    costs: "dict[tuple[int, bool], Cost]" = {}

    def play(seconds: int, is_tracked: bool) -> None:
        costs[seconds, is_tracked] = bench.play(player, seconds, is_tracked)

    kinds = [(seconds, is_tracked) for seconds in (SHORT_SECONDS, LONG_SECONDS) for is_tracked in (False, True)]
    threads = [threading.Thread(target=play, args=kind) for kind in kinds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(costs) < len(kinds):
        raise RuntimeError(f"{player} could not be played with")
    return costs


def thread_times(process: int) -> "dict[str, tuple[str, int]]":
    """The threads of a process, by number: name and processor time, ns."""
    found = {}
    for thread in os.listdir(f"/proc/{process}/task"):
        folder = f"/proc/{process}/task/{thread}"
        with open(folder + "/comm", encoding="utf-8") as name, open(folder + "/schedstat", encoding="ascii") as times:
            found[thread] = (name.read().strip(), int(times.read().split()[0]))
    return found


def is_of_tally(name: str) -> bool:
    return name.startswith(("tally-", "r-", "mpv/SO plugin"))


def measure_threads(bench: Bench, player: str) -> None:
    """What Tally's threads take of each second of playback, and which share of the player that is."""
    command, environment = bench.command(player, LONG_SECONDS, True)
    with subprocess.Popen(
        command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    ) as process:
        time.sleep(LOOK_SECONDS)
        before, begun = thread_times(process.pid), time.monotonic()
        time.sleep(LONG_SECONDS / 2)
        after, seconds = thread_times(process.pid), time.monotonic() - begun
        process.kill()
    took = [(name, (ns - before.get(thread, ("", 0))[1]) / 1e6 / seconds) for thread, (name, ns) in after.items()]
    own = [(name, ms) for name, ms in took if is_of_tally(name)]
    tally, player_ms = sum(ms for _, ms in own), sum(ms for name, ms in took if not is_of_tally(name))
    parts = ", ".join(f"{name} {ms:.3f}" for name, ms in own)
    share = tally / player_ms * 100
    print(f"{player}: {player_ms:.2f} ms of a second, and Tally's threads {tally:.3f} ms: {share:.2f} %")
    print(f"{player}: {parts}", flush=True)


def show(name: str, values: "list[float]", unit: str) -> float:
    middle = statistics.median(values)
    print(f"{name}: {middle:.2f} {unit} ({min(values):.2f} to {max(values):.2f})", flush=True)
    return middle


def measure_player(bench: Bench, player: str, rounds: int) -> None:
    played = [side_by_side(bench, player) for _ in range(rounds)]
    whole, steady, plain, start = [], [], [], []
    for costs in played:
        without, tracked = costs[LONG_SECONDS, False].processor_ms, costs[LONG_SECONDS, True].processor_ms
        before, begun = costs[SHORT_SECONDS, False].processor_ms, costs[SHORT_SECONDS, True].processor_ms
        plain.append((without - before) / (LONG_SECONDS - SHORT_SECONDS))
        whole.append((tracked / without - 1) * 100)
        steady.append(((tracked - begun) / (without - before) - 1) * 100)
        start.append(begun - before)
    show(f"{player}: processor time of a second of playback", plain, "ms")
    show(f"{player}: more with Tally, {LONG_SECONDS} s with the start", whole, "%")
    # The sums of all rounds: what is small in each is not lost in what disturbs it.
    sums = {kind: sum(costs[kind].processor_ms for costs in played) for kind in played[0]}
    tracked = sums[LONG_SECONDS, True] - sums[SHORT_SECONDS, True]
    without = sums[LONG_SECONDS, False] - sums[SHORT_SECONDS, False]
    show(f"{player}: more with Tally, without the start (at most {TARGETS[player]} %)", steady, "%")
    print(f"{player}: the same of all rounds together: {(tracked / without - 1) * 100:.2f} %")
    show(f"{player}: processor time of the start and the first {SHORT_SECONDS} s", start, "ms more")
    for word, name in (("resident_kb", "resident"), ("proportional_kb", "proportional")):
        pairs = [(costs[SHORT_SECONDS, True], costs[SHORT_SECONDS, False]) for costs in played]
        more = [(getattr(one, word) - getattr(other, word)) / 1024 for one, other in pairs]
        show(f"{player}: more memory, {name}", more, "MB")


def measure_buffers(bench: Bench, rounds: int, tells_quality: bool) -> None:
    """What a buffer at the sink costs more than without the tracer; of a program whose start is taken away."""
    sink = "a sink that tells of its quality" if tells_quality else "a sink"
    numbers = {}
    for is_tracked in (False, True):
        few, many = (bench.count(buffers, tells_quality, is_tracked) for buffers in (FEW_COUNTED, MANY_COUNTED))
        numbers[is_tracked] = (many - few) / (MANY_COUNTED - FEW_COUNTED)
    print(f"a buffer at {sink}: {numbers[True] - numbers[False]:.0f} instructions more than {numbers[False]:.0f}")
    more = []
    for turn in range(rounds):
        slopes = {}
        for is_tracked in (turn % 2 == 0, turn % 2 == 1):
            few, many = (bench.feed(buffers, tells_quality, is_tracked) for buffers in (FEW_BUFFERS, MANY_BUFFERS))
            slopes[is_tracked] = (many.processor_ms - few.processor_ms) * 1e6 / (MANY_BUFFERS - FEW_BUFFERS)
        more.append(slopes[True] - slopes[False])
    show(f"a buffer at {sink}: more (at most 100 ns)", more, "ns")


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures what it costs players of others that they are tracked.")
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=["gst-play-1.0", "mpv", "threads", "buffers"])
    parser.add_argument("--size", default="640x360", help="of the films, px; the smaller the lighter to decode")
    parser.add_argument("--adapters", action="store_true", help="without libtally")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tally-costs-") as folder:
        bench = Bench(os.path.abspath(arguments.build), folder, arguments.adapters, arguments.size)
        for player in ("gst-play-1.0", "mpv"):
            if arguments.only in (None, player, "threads"):
                measure_threads(bench, player)
        for player in ("gst-play-1.0", "mpv"):
            if arguments.only in (None, player):
                measure_player(bench, player, arguments.rounds)
        if arguments.only in (None, "buffers"):
            for tells_quality in (False, True):
                measure_buffers(bench, arguments.rounds * 2, tells_quality)
    return 0


if __name__ == "__main__":
    sys.exit(main())

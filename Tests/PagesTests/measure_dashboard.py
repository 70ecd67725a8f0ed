"""Measures what a dashboard costs: a replay of many runs at once, and browsers that look on. See --help.

Writes an archive of so many runs that all go on at once, each with so many events a second, replays it at the speed of the
recorded runs through the dashboard, and has browsers ask for the first page and the list of sessions whenever there is
something new. What is measured is the processor time of the dashboard's own threads, which are those called r-dashboard, and libmicrohttpd's.
"""
import argparse
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time

TICK = os.sysconf("SC_CLK_TCK")


def write_archive(path, runs, events, seconds):
    """Runs that begin within ten seconds and play on to the end, in the order of their lines' times."""
    lines = []
    for number in range(runs):
        name, asset, chance = f"load{number:05}", number % 100, random.Random(number)
        begin = number * 10_000_000 // runs
        count = [0]

        def line(when, members, name=name, begin=begin, count=count):
            lines.append((begin + when, len(lines), json.dumps({"run": name, "n": count[0], **members}, separators=(",", ":"))))
            count[0] += 1

        header = {"format": 1, "semantics": 2, "core": "0.1.0", "epoch_us": 1_780_000_000_000_000, "trackers": []}
        line(0, {"tally": header})
        state = {"playhead_ms": 0, "duration_ms": 3_600_000, "rate_milli": 1000, "bitrate_bps": 2_800_000}
        line(0, {"t_us": 0, "event": "video_load", "state": state, "attributes": {
            "video_id": f"asset-{asset}", "video_name": f"Film {asset}", "country": "SE", "video_cdn": "north"}})
        line(10, {"t_us": 10_000, "event": "play", "state": {"playhead_ms": 0}})
        line(1_000_000, {"t_us": 1_000_000, "event": "first_frame", "state": {"playhead_ms": 0}})
        step, when, place = 1_000_000 // events, 1_000_000, 0
        while begin + when < seconds * 1_000_000:
            when, place = when + step, place + 1
            kind = "quality_sample" if place % 40 == 0 else "playhead_sample"
            line(when, {"t_us": when, "event": kind, "state": {"playhead_ms": (when - 1_000_000) // 1000}})
            if chance.random() < 0.0005:
                line(when + 1, {"t_us": when + 1, "event": "buffer_start", "state": {}, "attributes": {"buffer_cause": "stall"}})
                line(when + 2, {"t_us": when + 2, "event": "buffer_complete", "state": {}})
    lines.sort()
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(text + "\n" for _, _, text in lines)
    return len(lines)


def processor_time(process):
    """Of the dashboard's threads and of the whole process, s."""
    own = whole = 0.0
    for task in os.listdir(f"/proc/{process}/task"):
        try:
            with open(f"/proc/{process}/task/{task}/stat", encoding="utf-8") as file:
                text = file.read()
        except OSError:
            continue
        name = text[text.index("(") + 1:text.rindex(")")]
        fields = text[text.rindex(")") + 2:].split()
        used = (int(fields[11]) + int(fields[12])) / TICK
        whole += used
        own += used if name.startswith(("r-dashboard", "MHD")) else 0
    return own, whole


class Watcher(threading.Thread):
    """A browser: told of news, it asks for what the first page and the list of sessions show."""

    def __init__(self, port, token):
        super().__init__(daemon=True)
        self.port, self.headers, self.seen, self.bytes, self.slowest = port, {
            "Authorization": f"Bearer {token}", "Accept-Encoding": "gzip"}, 0, 0, 0.0

    def run(self):
        events = http.client.HTTPConnection("127.0.0.1", self.port)
        events.request("GET", "/events", headers=self.headers)
        answer = events.getresponse()
        asking = http.client.HTTPConnection("127.0.0.1", self.port)
        while line := answer.readline():
            if not line.startswith(b"event: change"):
                continue
            begun = time.monotonic()
            for path in ("/overview.json", "/sessions.json"):
                asking.request("GET", path, headers=self.headers)
                self.bytes += len(asking.getresponse().read())
            self.slowest = max(self.slowest, time.monotonic() - begun)
            self.seen += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--events", type=int, default=4, help="events a second of each run")
    parser.add_argument("--seconds", type=int, default=40, help="how long is measured, behind twelve seconds of begin")
    parser.add_argument("--browsers", type=int, default=1)
    parser.add_argument("--programs", default=".build/release", help="where the programs and plugins are")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        archive, url = os.path.join(folder, "load.tally"), os.path.join(folder, "url")
        lines = write_archive(archive, arguments.runs, arguments.events, arguments.seconds + 20)
        program = os.path.join(arguments.programs, "tally-replay")
        replay = subprocess.Popen([
            program, archive, "--speed", "1", "--plugins", "dashboard", "--plugin-dir", arguments.programs, "--quiet",
            "--set", "plugins.dashboard.config.port=0", "--set", f"plugins.dashboard.config.url_file={url}"])
        try:
            while not os.path.exists(url) or not os.path.getsize(url):
                time.sleep(0.1)
            with open(url, encoding="utf-8") as file:
                address = file.read().strip()
            port, token = int(address.split(":")[2].split("/")[0]), address.split("token=")[1]
            time.sleep(12)
            watchers = [Watcher(port, token) for _ in range(arguments.browsers)]
            for watcher in watchers:
                watcher.start()
            time.sleep(2)

            def taken():
                asking = http.client.HTTPConnection("127.0.0.1", port)
                asking.request("GET", "/plugins.json", headers={"Authorization": f"Bearer {token}"})
                return json.load(asking.getresponse())["dashboard"]

            before, (own, whole), begun = taken(), processor_time(replay.pid), time.monotonic()
            time.sleep(arguments.seconds)
            after, (own_end, whole_end), span = taken(), processor_time(replay.pid), time.monotonic() - begun
            with open(f"/proc/{replay.pid}/status", encoding="utf-8") as file:
                memory = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        finally:
            replay.kill()
            replay.wait()
    print(json.dumps({
        "lines": lines, "open_sessions": after["open_sessions"],
        "outputs_a_second": round((after["taken"] - before["taken"]) / span),
        "dashboard_percent": round((own_end - own) / span * 100, 1),
        "process_percent": round((whole_end - whole) / span * 100, 1), "memory_mb": round(memory / 1000),
        "browsers": len(watchers), "refreshes": sum(watcher.seen for watcher in watchers),
        "slowest_refresh_ms": round(max((watcher.slowest for watcher in watchers), default=0) * 1000),
        "kb_a_refresh": round(sum(watcher.bytes for watcher in watchers) / max(1, sum(watcher.seen for watcher in watchers)) / 1000),
    }))
    return 0


if __name__ == "__main__":
    sys.exit(main())

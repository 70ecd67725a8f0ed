"""A tally-collector on loopback with all trackers, and what is archived and said of the runs that it takes."""
import collections
import json
import os
import re
import shutil
import subprocess
import time
import urllib.request

from collector import ROOT

BUILT = os.path.join(ROOT, ".build", "debug")
KEPT = os.path.join(ROOT, "Tests", "ReplayTests", "Archives", "Kept")
KEY = "a-key-of-the-tests"
# How long the collector may take for what has to come, s.
PATIENCE = 30

TRACKERS = """
        { plugin: "new-relic-video", name: "newrelic", config: { heartbeatSeconds: 10 } },
        { plugin: "nielsen-dcr", name: "nielsen", config: { appid: "P10DF14BA-937E-436D-99DF-ED39A0422387", segmentSeconds: 5 } },
        { plugin: "mux-data", name: "mux", config: { environmentKey: "abc123" } },
        { plugin: "adobe-analytics", name: "analytics" },
        { plugin: "adobe-heartbeat", name: "heartbeat", config: { trackingServer: "heartbeats.example.com", jobId: "j2", publisher: "tally" } },"""
NAMES = ("newrelic", "nielsen", "mux", "analytics", "heartbeat")


class RealCollector:
    """The program itself. Pages of `origin` may report to it, with the key; a run that plays is over after `silence` s."""

    def __init__(self, folder, origin, silence):
        self.folder = folder
        shutil.copytree(os.path.join(KEPT, "AdobeMobile"), os.path.join(folder, "AdobeMobile"))
        settings = f"""collector: {{
            silenceWhilePlayingSeconds: {silence},
            tenants: {{ web: {{ keys: ["{KEY}"], origins: ["{origin}"] }} }} }},"""
        self.log = open(os.path.join(folder, "collector.log"), "w+", encoding="utf-8")
        self.program = subprocess.Popen(
            [os.path.join(BUILT, "tally-collector"), "--folder", os.path.join(folder, "collected"), "--listen", "127.0.0.1:0",
             "--plugin-dir", BUILT, "--config", self.configuration("live", settings)], stderr=self.log)
        found = self.wait(lambda: re.search(r"takes reports on (http://\S+)", self.said()), "begin")
        self.url = found[1]

    def configuration(self, name, settings=""):
        """Writes a configuration with all trackers, and the output to a file of this name."""
        path = os.path.join(self.folder, f"{name}.json5")
        output = json.dumps(os.path.join(self.folder, f"{name}.jsonl"))
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'{{ {settings} plugins: [{TRACKERS} {{ plugin: "jsonlines", config: {{ path: {output} }} }} ] }}')
        return path

    def said(self):
        with open(self.log.name, encoding="utf-8") as file:
            return file.read()

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.program.poll() is None:
            if found := condition():
                return found
            time.sleep(0.05)
        raise RuntimeError(f"the collector does not {what}: {self.said()}")

    def figure(self, name):
        with urllib.request.urlopen(f"{self.url}/metrics") as answer:
            found = re.search(rf"^tally_collector_{name} (\d+)$", answer.read().decode(), re.MULTILINE)
        return int(found[1]) if found else 0

    def until_archived(self, count):
        self.wait(lambda: self.figure("archived_runs_total") >= count, f"archive {count} runs")

    def end(self):
        """Ends it as it is meant to be; what went wrong fails the case."""
        self.program.terminate()
        code = self.program.wait()
        self.log.close()
        if code != 0:
            raise RuntimeError(f"the collector ends with {code}: {self.said()}")

    def replay(self, *options, name="replay"):
        """Runs tally-replay over all archives; returns its standard output."""
        program = [os.path.join(BUILT, "tally-replay"), *options, "--quiet", "--depth", "9",
                   os.path.join(self.folder, "collected", "archives")]
        made = subprocess.run(program, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise RuntimeError(f"{' '.join(program)} ends with {made.returncode}: {made.stderr}")
        return made.stdout

    def archived(self):
        """The lines of all archives by run, as tally-replay reads them."""
        runs = collections.defaultdict(list)
        for text in self.replay("cat").splitlines():
            line = json.loads(text)
            runs[line["run"]].append(line)
        return runs

    def outputs(self, name):
        """What was said, by run and tracker: lines as they stand, in their order."""
        found = collections.defaultdict(list)
        with open(os.path.join(self.folder, f"{name}.jsonl"), encoding="utf-8") as file:
            for text in file:
                line = json.loads(text)
                if line["line"] in ("record", "beacon"):
                    found[line["run"], line["instance"]].append(text)
        return found

    def said_live(self):
        return self.outputs("live")

    def said_again(self):
        """What a replay of the archives says with the same plugins."""
        self.replay("--strict", "--plugin-dir", BUILT, "--config", self.configuration("replayed"))
        return self.outputs("replayed")

"""mpv and tally-player, which report by the programs of docs/collector.md."""
import json
import os
import shutil
import subprocess

from collector import ROOT
from real_collector import BUILT, KEY


def documented(language, heading):
    """The first program in a language below a heading of the page."""
    with open(os.path.join(ROOT, "docs", "collector.md"), encoding="utf-8") as file:
        below = file.read().split(f"\n### {heading}\n")[1]
    return below.split(f"\n```{language}\n")[1].split("\n```")[0] + "\n"


class OtherPlayer:
    """A player beside the page; its lines go into a file too, as it says them."""

    def __init__(self, name, collector):
        self.lines_path = os.path.join(collector.folder, f"{name}.lines")
        report = self.write(collector, "report.py", documented("python", "Lines of another program"))
        # Into the file first: what the collector has is there as well.
        self.handing_on = f"tee {self.lines_path} | python3 {report} {collector.url} {KEY}"
        self.program = None

    @staticmethod
    def write(collector, name, text):
        path = os.path.join(collector.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def lines(self):
        """The lines so far that are whole."""
        if not os.path.exists(self.lines_path):
            return []
        with open(self.lines_path, encoding="utf-8") as file:
            return [json.loads(text) for text in file if text.endswith("\n")]

    def count(self, event):
        return sum(line.get("event") == event for line in self.lines())

    def end(self):
        if self.program.poll() is None:
            self.program.terminate()
        self.program.wait()


class Mpv(OtherPlayer):
    """mpv without picture and sound."""

    program_path = shutil.which("mpv")

    def __init__(self, collector, *arguments):
        super().__init__("mpv", collector)
        script = self.write(collector, "tally.lua", documented("lua", "mpv"))
        self.program = subprocess.Popen([self.program_path, "--no-config", "--no-terminal", "--vo=null", "--ao=null",
                                         f"--script={script}", f"--script-opts=tally={self.handing_on}", *arguments])


class TallyPlayer(OtherPlayer):
    """tally-player, whose archive goes to the collector."""

    def __init__(self, collector, source):
        super().__init__("player", collector)
        player = f"{BUILT}/tally-player {source} --quiet --archive /dev/stdout --plugin-dir {BUILT}"
        self.program = subprocess.Popen(["/bin/sh", "-c", f"{player} | {self.handing_on}"])

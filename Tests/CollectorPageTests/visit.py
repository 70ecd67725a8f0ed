"""A page with a player in a real browser, the server that it comes from, and what a case demands of them."""
import glob
import os
import time

from collector import ROOT, Collector, Site

CHROMIUM = "/usr/bin/chromium"
# How long a case may wait for something that has to come, s: it fails then.
PATIENCE = 20


class Failure(Exception):
    """What a case found wrong."""


def demand(condition, what):
    if not condition:
        raise Failure(what)


def media_folders():
    """The folders of the media and of Video.js, as a site has them."""
    found = glob.glob(os.path.join(ROOT, ".build/pages-python/lib/python3*/site-packages/js/videojs/resources"))
    return {"media": os.path.join(ROOT, ".media"), "videojs": found[0] if found else "/nowhere"}


class Visit:
    """A page with a player, its site and its collector."""

    def __init__(self, browser, folders, other=None):
        self.collector = Collector()
        self.collector.other = other
        self.site = Site(self.collector, folders)
        self.browser = browser
        self.context = browser.new_context()
        self.page = None
        self.runs = []

    def open(self, **options):
        """Opens the page, in this visit's context, with a run for the element."""
        self.page = self.context.new_page()
        self.page.goto(self.site.url("tests/page.html"))
        self.attach(**options)

    def attach(self, player=None, key="good", **options):
        run = f"run{len(self.runs) + 1}"
        self.runs.append(run)
        given = {"to": self.site.url("c"), "key": key, "run": run, "every": 1, "video": {"id": "asset-1", "name": "A film"}, **options}
        self.page.evaluate("([given, player]) => { window.tally = Tally.attach(video, { ...given, player: player && window[player] }); }",
                           [given, player])

    def play(self, path="media/clip.mp4"):
        self.page.evaluate("(url) => { video.src = url; video.play(); }", self.site.url(path))

    def until(self, condition, what, patience=PATIENCE):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if condition():
                return
            if self.page.is_closed():
                time.sleep(0.05)
            else:
                self.page.wait_for_timeout(50)
        raise Failure(f"{what} does not come: {self.collector.events(self.runs[-1])}, "
                      f"{'' if self.page.is_closed() else self.page.evaluate('[...new Set((window.errors ?? []).concat(window.warnings ?? []))]')}")

    def until_event(self, event, count=1, run=None):
        self.until(lambda: self.events(run).count(event) >= count, event)

    def events(self, run=None, **options):
        return self.collector.events(run or self.runs[-1], **options)

    def lines(self, event, run=None):
        return [line for line in self.collector.lines(run or self.runs[-1]) if line.get("event") == event]

    def seen(self, name):
        return self.page.evaluate("(name) => seen.filter((one) => one[0] === name)", name)

    def evaluate(self, script, *values):
        return self.page.evaluate(script, *values)

    def close(self):
        """Ends the visit; what went wrong in the page or on the wire fails the case."""
        problems = list(self.collector.problems)
        if self.page and not self.page.is_closed():
            problems += self.page.evaluate("[...new Set(window.errors ?? [])]")
        self.context.close()
        self.site.server.shutdown()
        demand(not problems, "; ".join(map(str, problems[:5])))

"""Plays HLS with Video.js in a real browser, which reports to tally-collector, and holds its archive against the page. See --help."""
import argparse
import os
import sys
import tempfile
import time
import traceback

from playwright.sync_api import sync_playwright

from collector import ROOT, Collector, Site
from media_events import OTHERS, calls_of
from other_players import Mpv, TallyPlayer
from real_collector import KEY, NAMES, RealCollector
from tab import Tab
from visit import CHROMIUM, PATIENCE, Failure, demand, media_folders

# How far a call may be from its media event, ms; some come with the next event of the element, or the next frame.
TOLERANCE = 100
TOLERANCES = {"first_frame": 500, "seek_complete": 350, "buffer_complete": 350, "player_error": 350}
STREAM = "media/hls/master.m3u8"


class Viewing:
    """A tab with Video.js that plays and reports, and the site that it plays from."""

    def __init__(self, browser, site, collector):
        self.site = site
        self.collector = collector
        self.tab = Tab(browser)
        self.began = 0

    def open(self, run):
        self.tab.open(self.site.url("tests/page.html"))
        # The script is that which the collector serves, in the place of the file that the page has.
        for url in (self.site.url("videojs/video.js"), f"{self.collector.url}/tally.js"):
            self.tab.evaluate("""new Promise((done, fail) => document.head.append(Object.assign(document.createElement("script"),
                { src: url, onload: () => done(), onerror: () => fail(new Error(url)) })))""", url=url)
        # Video.js chooses no rendition that is larger than its picture.
        self.tab.evaluate("""Object.assign(video.style, { width: "1280px", height: "720px" }), window.player = videojs(video, { html5: { hls: { overrideNative: true },
            nativeAudioTracks: false, nativeVideoTracks: false } }), void player.on("error", () => video.error || saw("error"))""")
        given = {"to": self.collector.url, "key": KEY, "run": run, "every": 1, "video": {"id": "asset-1", "name": "A film"}}
        self.began = self.tab.evaluate("""(() => { const began = performance.now();
            window.tally = Tally.attach(video, { ...given, player }); return began; })()""", given=given)

    def play(self, path):
        self.tab.evaluate("player.src({ src: url, type: 'application/x-mpegURL' }), void player.play()?.catch(() => {})",
                          url=self.site.url(path))

    def until(self, script, what, **values):
        end = time.monotonic() + PATIENCE
        while not self.tab.evaluate(script, **values):
            if time.monotonic() > end:
                raise Failure(f"{what} does not come: {[one[:3] for one in self.tab.evaluate('seen')]}")
            time.sleep(0.05)

    def until_seen(self, name, count=1):
        self.until("seen.filter((one) => one[0] === name).length >= count", f"{count} times {name}", name=name, count=count)

    def count(self, name):
        return self.tab.evaluate("seen.filter((one) => one[0] === name).length", name=name)

    def protocol(self):
        """The protocol of the page before this one, which is gone."""
        self.tab.open(self.site.url("tests/other.html"))
        return self.tab.evaluate("JSON.parse(localStorage.protocol)")


def has_whole_course(viewing):
    """Pause, seek, a stall, other renditions, a hidden tab, the end, an error, a page that is closed: the run says them all."""
    site, tab = viewing.site, viewing.tab
    viewing.open("course")
    site.rate = 5e6
    viewing.play(STREAM)
    viewing.until("video.currentTime > 1.5", "playback")
    tab.evaluate("player.pause()")
    viewing.until_seen("pause")
    time.sleep(0.4)
    tab.evaluate("void player.play()")
    viewing.until("video.currentTime > 2", "playback")
    # To where nothing is, over a link that takes seconds for a segment: another rendition follows.
    site.rate = 1.2e6
    tab.evaluate("player.currentTime(30)")
    viewing.until("!video.seeking && video.currentTime > 30.2", "the seek's end")
    waits = viewing.count("waiting")
    site.hold = lambda path, place: path.endswith(".m4s")
    viewing.until_seen("waiting", waits + 1)
    time.sleep(0.7)
    site.hold = None
    site.rate = 20e6
    place = tab.evaluate("video.currentTime")
    viewing.until("video.currentTime > place + 0.5", "playback behind the stall", place=place)
    tab.hide()
    viewing.until_seen("hidden")
    time.sleep(0.5)
    tab.show()
    viewing.until_seen("visible")
    viewing.until_seen("ended")
    viewing.play("media/hls/nothing.m3u8")
    viewing.until_seen("error")
    viewing.play(STREAM)
    playing = viewing.count("playing")
    viewing.until_seen("playing", playing + 1)
    viewing.until("video.currentTime > 1", "playback again")
    tab.close()
    compare(viewing, "course")


def compare(viewing, run):
    """The archived run is the page's protocol."""
    protocol = viewing.protocol()
    viewing.collector.until_archived(1)
    lines = viewing.collector.archived()[run]
    told = [line for line in lines if line.get("event") and line["event"] not in OTHERS]
    expected = calls_of(protocol)
    demand([line["event"] for line in told] == [event for event, _ in expected],
           f"the run says\n  {[line['event'] for line in told]}\nand the page\n  {[event for event, _ in expected]}")
    for line, (event, at) in zip(told, expected):
        difference = line["t_us"] / 1000 + viewing.began - at
        demand(abs(difference) < TOLERANCES.get(event, TOLERANCE), f"{event} is {difference:.0f} ms beside the page's, {line}")
    demand(lines[-1].get("end") == "drained", f"the run ends with {lines[-1]}")
    heights = [one[5] for one in protocol if one[0] == "resize" and one[5]]
    shown = [line["attributes"]["rendition_height"] for line in lines
             if line.get("event") == "rendition_change" and line["attributes"]["rendition_phase"] == "visible"]
    demand(len(set(heights)) > 1 and shown == heights, f"the run shows {shown}, and the page {heights}")
    seek = next(line for line in told if line["event"] == "seek_start")["attributes"]
    demand(seek["seek_to_ms"] == 30_000 and seek["seek_from_ms"] >= 1500, f"the seek is {seek}")
    print(f"  ({len(told)} calls, renditions {shown})", end="")


def is_closed(viewing):
    """A page that is closed as it plays has said its end, and all before."""
    viewing.open("closed")
    viewing.play(STREAM)
    viewing.until("video.currentTime > 0.7", "playback")
    viewing.tab.close()
    viewing.collector.until_archived(1)
    lines = viewing.collector.archived()["closed"]
    last = viewing.protocol()[-1]
    unload = lines[-2]
    demand(unload.get("event") == "video_unload" and lines[-1].get("end") == "drained", f"the run ends with {lines[-2:]}")
    demand(abs(unload["t_us"] / 1000 + viewing.began - last[1]) < TOLERANCE, f"{unload} is not where the page ended: {last}")
    demand("cause" not in unload.get("attributes", {}), f"the page's end is none of its own: {unload}")


def is_killed(viewing):
    """Of a page whose process is killed nothing comes any more: its run is over by silence, where it was last heard of."""
    viewing.open("killed")
    viewing.play(STREAM)
    viewing.until("video.currentTime > 2", "playback")
    place = viewing.tab.evaluate("video.currentTime") * 1000
    viewing.tab.kill()
    viewing.collector.until_archived(1)
    lines = viewing.collector.archived()["killed"]
    unload = next(line for line in lines if line.get("event") == "video_unload")
    demand(unload["attributes"].get("cause") == "silence", f"the end is {unload}")
    # A batch goes each second.
    demand(place - 2000 < unload["state"]["playhead_ms"] < place + 1000, f"the end is at {unload['state']}, and was at {place}")


def has_company(viewing):
    """mpv and tally-player report to the same collector: each has its run, and mpv's stall is as long as its server's."""
    if not Mpv.program_path:
        print("  (left out, there is no mpv)", end="")
        return
    site, collector = viewing.site, viewing.collector
    site.hold = lambda path, place: path.endswith("clip.mp4") and place > 400_000
    mpv = Mpv(collector, "--end=7", site.url("media/clip.mp4"))
    player = TallyPlayer(collector, os.path.join(ROOT, ".media", "short.mp4"))
    try:
        viewing.open("company")
        viewing.play(STREAM)
        viewing.until("video.currentTime > 2", "playback")
        collector.wait(lambda: mpv.count("buffer_start"), "hear mpv wait")
        time.sleep(1)
        released = mpv.lines()[-1]["t_us"]
        site.hold = None
        viewing.tab.close()
        collector.until_archived(3)
    finally:
        site.hold = None
        mpv.end()
        player.end()
    runs = collector.archived()
    told = [line for line in runs[mpv.lines()[0]["run"]] if line.get("event") and line["event"] not in OTHERS]
    events = ["video_load", "play", "first_frame", "buffer_start", "buffer_complete", "complete", "video_unload"]
    demand([line["event"] for line in told] == events, f"mpv's run says {[line['event'] for line in told]}")
    begin, end = told[3], told[4]
    demand(end["t_us"] - begin["t_us"] >= 1e6 and end["t_us"] >= released, f"mpv waits from {begin} to {end}")
    demand(abs(begin["state"]["playhead_ms"] - end["state"]["playhead_ms"]) < 500, f"mpv plays on as it waits, from {begin} to {end}")
    # Marks are each archive's own, and count among its lines.
    own, collected = ([{**line, "n": 0} for line in lines if "mark" not in line]
                      for lines in (player.lines(), runs[player.lines()[0]["run"]]))
    different = [pair for pair in zip(own[1:], collected[1:]) if pair[0] != pair[1]]
    demand(len(own) == len(collected) and not different, f"the run of tally-player is not its archive: {different[:1]}")
    demand("complete" in [line.get("event") for line in own], f"tally-player ends with {own[-1]}")


CASES = (has_whole_course, is_closed, is_killed, has_company)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", metavar="CASE", help="these cases alone")
    options = parser.parse_args()
    code = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for case in CASES:
            if options.only and case.__name__ not in options.only:
                continue
            print(case.__name__, end="", flush=True)
            try:
                check(browser, case)
                print(": well")
            except Failure as failure:
                print(f": {failure}")
                code = 1
            except Exception:  # pylint: disable=broad-exception-caught
                print(f": {traceback.format_exc()}")
                code = 1
        browser.close()
    return code


def check(browser, case):
    """Runs a case with a collector of its own; afterwards a replay of the archives says what was said live."""
    site = Site(Collector(), media_folders())
    with tempfile.TemporaryDirectory() as folder:
        collector = RealCollector(folder, site.url("")[:-1], silence=6 if case is is_killed else 600)
        viewing = Viewing(browser, site, collector)
        try:
            case(viewing)
        finally:
            viewing.tab.leave()
            site.server.shutdown()
            collector.end()
        live, again = collector.said_live(), collector.said_again()
        runs = {run for run, _ in live}
        for run in runs:
            silent = [name for name in NAMES if not live[run, name]]
            demand(not silent, f"{', '.join(silent)} say nothing of {run}")
        demand(runs and live == again, "the replay says something else than was said live")
        print(f"  ({', '.join(f'{name} {sum(len(live[run, name]) for run in runs)}' for name in NAMES)})", end="")


if __name__ == "__main__":
    sys.exit(main())

"""Makes an archive of playbacks of all kinds, the same for the same seed: what pages are tested with. See --help."""
import argparse
import io
import json
import random
import sys

# What a player may send, and a page must only ever show.
PLANTED = "<script>window.planted=1</script><img src=x onerror='window.planted=1'>"
RENDITIONS = [(400_000, 240), (1_200_000, 480), (2_800_000, 720), (5_500_000, 1080)]
TITLES = ["Northern Lights", "The Long Way Round", "Evening News", "City of Bridges", "Cup Final", "Slow Rivers"]
EPOCH_US = 1_780_000_000_000_000


class Run:
    """Writes one player run with one session."""

    def __init__(self, number, chance, out, slow=0):
        self.name, self.chance, self.out, self.slow = f"run{number:06}", chance, out, slow
        self.number, self.time, self.playhead = 0, 0, 0
        self.rendition = chance.randrange(4)
        epoch = EPOCH_US + number * 47_000_000 + chance.randrange(40_000_000)
        header = {"format": 1, "semantics": 2, "core": "0.1.0", "epoch_us": epoch, "trackers": []}
        self.line({"tally": header})

    def line(self, members):
        text = json.dumps({"run": self.name, "n": self.number, **members}, separators=(",", ":"), ensure_ascii=False)
        self.out.write(text + "\n")
        self.number += 1

    def event(self, name, after_ms=0, state=(), **attributes):
        self.time += int(after_ms * 1000)
        members = {"t_us": self.time, "event": name}
        members["state"] = {"playhead_ms": int(self.playhead), **dict(state)}
        if attributes:
            members["attributes"] = attributes
        self.line(members)

    def quality(self):
        bitrate, height = RENDITIONS[self.rendition]
        state = {"bitrate_bps": bitrate, "width": height * 16 // 9, "height": height,
                 "throughput_bps": int(bitrate * self.chance.uniform(1.2, 3))}
        self.event("quality_sample", 0, state, buffer_length_ms=int(self.chance.uniform(2_000, 30_000)))

    def request(self, fails=False):
        bitrate = RENDITIONS[self.rendition][0]
        took = int(self.chance.lognormvariate(5.5, 0.7))
        self.event("request_failed" if fails else "request_completed", 20, request_type="video",
                   request_url=f"https://cdn.example/{self.name}/{self.number}.m4s", request_status=404 if fails else 200,
                   request_bytes=bitrate // 2, request_duration_ms=took)

    def play(self, seconds):
        """Plays on for so long, with samples, requests and now and then a stall or another rendition."""
        left = seconds
        while left > 0:
            piece = min(left, 4)
            left -= piece
            self.request(self.chance.random() < 0.01)
            for _ in range(int(piece)):
                self.playhead += 1000
                self.event("playhead_sample", 980)
            if self.chance.random() < 0.25:
                self.quality()
            if self.chance.random() < 0.04:
                self.event("buffer_start", buffer_cause="stall")
                self.event("buffer_complete", self.chance.lognormvariate(7.2, 0.6))
            if self.chance.random() < 0.06:
                before = self.rendition
                self.rendition = max(0, min(3, before + self.chance.choice([-1, 1])))
                shift = "up" if self.rendition > before else "down" if self.rendition < before else "same"
                bitrate, height = RENDITIONS[self.rendition]
                self.event("rendition_change", 10, {"bitrate_bps": bitrate, "height": height}, rendition_phase="visible",
                           rendition_cause="automatic", rendition_shift=shift, rendition_bitrate_bps=bitrate, rendition_height=height)

    def ads(self, kind, planted):
        self.event("ad_break_start", 5, ad_break_name=f"{kind}-roll", ad_break_type=kind, ad_break_position=1)
        for place in range(1, self.chance.randrange(1, 4)):
            self.event("ad_start", 30, ad_id=PLANTED if planted else f"ad-{place}", ad_name=f"Spot {place}",
                       ad_position=place, ad_duration_ms=15_000)
            if self.chance.random() < 0.2:
                self.event("ad_skip", 5_000)
            else:
                for quarter in (1, 2, 3):
                    self.event("ad_quartile", 3_750, ad_quartile=quarter)
                self.event("ad_complete", 3_750)
        self.event("ad_break_complete", 10)

    def session(self, number, longest):
        chance, planted = self.chance, number % 50 == 7
        asset = min(int(chance.paretovariate(1.1)) - 1, len(TITLES) - 1)
        isLive = asset == 2
        length = 0 if isLive else [600, 1500, 0, 900, 5400, 300][asset] * 1000
        state = {"duration_ms": length or -1, "rate_milli": 1000, "volume_milli": 800, "muted": False, "live": isLive}
        self.event("video_load", 100, state, player_name="tally-player", player_version="1.0", video_id=f"asset-{asset}",
                   video_name=PLANTED if planted else TITLES[asset], stream_type="live" if isLive else "vod",
                   video_cdn=chance.choice(["north", "south"]), country=chance.choice(["SE", "DE", "BR"]),
                   user_id=f"viewer {chance.randrange(500)}", application_version=chance.choice(["4.1", "4.2"]))
        self.event("play", 20)
        fate = chance.random()
        if fate < 0.03:
            self.event("player_error", 900, error_id="e1", error_code=4001, error_fatal=True,
                       error_message=PLANTED if planted else "The manifest is missing")
            return self.event("video_unload", 50)
        self.event("buffer_start", 15, buffer_cause="initial")
        if fate < 0.08:
            return self.event("video_unload", 4_000)
        if chance.random() < 0.3:
            self.ads("pre", planted)
        self.event("buffer_complete", chance.lognormvariate(6.8, 0.5) + self.slow)
        self.quality()
        self.event("first_frame", 30, startup_time_ms=900)
        wanted = min(chance.lognormvariate(5.2, 1), longest)
        if not isLive:
            self.event("chapter_start", 1, chapter_name="Opening", chapter_position=1, chapter_start_ms=0)
        self.play(int(wanted / 2))
        if not isLive:
            self.event("chapter_complete", 1)
        if chance.random() < 0.2:
            self.event("pause", 10)
            self.event("play", chance.uniform(1_000, 60_000))
        if not isLive and chance.random() < 0.4:
            to = chance.randrange(length)
            self.event("seek_start", 10, seek_from_ms=int(self.playhead), seek_to_ms=to)
            self.playhead = to
            self.event("seek_complete", 300)
        if chance.random() < 0.3:
            self.ads("mid", planted)
        if planted:
            self.event("player_error", 10, error_code=7, error_fatal=False, error_message=PLANTED)
        left = wanted / 2 if isLive else min(wanted / 2, (length - self.playhead) / 1000)
        self.play(int(left))
        if not isLive and self.playhead >= length - 1000:
            self.event("complete", 10)
        elif chance.random() < 0.03:
            self.event("player_error", 10, error_code=3016, error_fatal=True, error_message="Decoding failed")
        self.event("video_unload", 40)


def interleaved(count, seed, longest, stagger_ms):
    """Lines of runs that go on at once, each begun so much later than the one before, in the order of their times."""
    lines = []
    for number in range(count):
        out = io.StringIO()
        run = Run(number, random.Random(f"{seed} {number}"), out)
        run.session(number, longest)
        run.line({"t_us": run.time + 1000, "end": "drained", "dropped": 0})
        for line in out.getvalue().splitlines():
            lines.append((number * stagger_ms * 1000 + json.loads(line).get("t_us", 0), number, line))
    lines.sort(key=lambda line: line[0])
    return [line for _, _, line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=100, help="how many playbacks, each a run of its own")
    parser.add_argument("--seed", type=int, default=1, help="chooses what happens in them")
    parser.add_argument("--slow", type=float, default=0, help="how much longer startups take, ms")
    parser.add_argument("--longest", type=int, default=600, help="how long one plays at most, s")
    parser.add_argument("--stagger", type=int, metavar="MS", help="make runs that go on at once, each so much later")
    arguments = parser.parse_args()
    if arguments.stagger is not None:
        sys.stdout.write("\n".join(interleaved(arguments.sessions, arguments.seed, arguments.longest, arguments.stagger)) + "\n")
        return
    for number in range(arguments.sessions):
        run = Run(number, random.Random(f"{arguments.seed} {number}"), sys.stdout, arguments.slow)
        run.session(number, arguments.longest)
        run.line({"t_us": run.time + 1000, "end": "drained", "dropped": 0})


if __name__ == "__main__":
    main()

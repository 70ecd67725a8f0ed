#!/usr/bin/env python3
"""Plants mistakes into the sample archive, and looks whether the example conservation finds each. See --help."""
import json
import subprocess
import sys
import tempfile

USAGE = """usage: Tests/LanguageTests/check_conservation.py REPLAY FOLDER SAMPLE ARCHIVE...

Replays each ARCHIVE, which is well-formed, through conservation.tallyplugin.so in FOLDER, by the program REPLAY: it has
to find nothing. Then it makes the mistakes of a table in the archive SAMPLE, one at a time, and each has to be found: the
rules that are broken and the times at which they are, and no others.
Exit codes: 0 all is well, 1 something is missed or found too much, 64 wrong arguments, 69 a replay fails.
"""


class Archive:
    """The lines of the sample, which a mistake changes."""

    def __init__(self, text):
        self.lines = [json.loads(line) for line in text.splitlines()]

    def at(self, event, count=1):
        """The place of the event of this name that comes as this one in number."""
        found = [index for index, line in enumerate(self.lines) if line.get("event") == event]
        return found[count - 1]

    def remove(self, event, count=1):
        del self.lines[self.at(event, count)]

    def repeat(self, event, count=1):
        place = self.at(event, count)
        self.lines.insert(place + 1, json.loads(json.dumps(self.lines[place])))

    def move(self, event, count, behind, behind_count=1):
        """Puts an event behind another one, at that one's time."""
        line = self.lines.pop(self.at(event, count))
        place = self.at(behind, behind_count)
        line["t_us"] = self.lines[place]["t_us"]
        self.lines.insert(place + 1, line)

    def put(self, event, behind, behind_count=1, **members):
        """Makes up an event behind another one, at that one's time."""
        place = self.at(behind, behind_count)
        made = {"run": "sample-run", "t_us": self.lines[place]["t_us"], "event": event, **members}
        self.lines.insert(place + 1, made)

    def set(self, event, count, part, key, value):
        self.lines[self.at(event, count)].setdefault(part, {})[key] = value

    def text(self):
        """The lines, numbered anew: a gap would be a damage, and no mistake of the player."""
        for number, line in enumerate(self.lines):
            line["n"] = number
        return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in self.lines)


# What is done to the sample, and the rules that it breaks, each with its time in ms.
MISTAKES = (
    ("the end of a stall is lost and another begins", lambda a: a.put("buffer_start", "buffer_start", 2),
     [("buffer-begins-twice", 12400)]),
    ("a stall ends that had not begun", lambda a: a.remove("buffer_start", 2), [("buffer-ends-unbegun", 13650)]),
    ("a seek ends that had not begun", lambda a: a.remove("seek_start"),
     [("seek-ends-unbegun", 25480)]),
    ("a break begins twice", lambda a: a.repeat("ad_break_start"), [("break-begins-twice", 15660)]),
    ("a break ends twice", lambda a: a.repeat("ad_break_complete"), [("break-ends-unbegun", 22110)]),
    ("the end of an ad is lost", lambda a: a.remove("ad_complete"), [("ad-begins-twice", 19720)]),
    ("an ad ends as complete and as skipped", lambda a: a.put("ad_complete", "ad_skip", session=1),
     [("ad-ends-unbegun", 22100)]),
    ("an ad outlasts its break", lambda a: a.remove("ad_skip"), [("ad-outlasts-break", 22110)]),
    ("an ad without a break", lambda a: (a.remove("ad_break_start", 2), a.remove("ad_break_complete", 2)),
     [("ad-outside-break", 31560)]),
    ("two ads at one position", lambda a: a.set("ad_start", 2, "attributes", "ad_position", 1),
     [("ad-position-falls", 19720)]),
    ("a quartile is told twice", lambda a: a.repeat("ad_quartile", 2), [("quartile-falls", 17700)]),
    ("a quartile of no ad", lambda a: a.move("ad_quartile", 4, "ad_break_complete"), [("quartile-outside-ad", 22110)]),
    ("a chapter ends that had not begun", lambda a: a.remove("chapter_start"), [("chapter-ends-unbegun", 15650)]),
    ("two first frames", lambda a: a.repeat("first_frame"), [("first-frame-twice", 400)]),
    ("the video ends without a frame", lambda a: a.remove("first_frame"), [("complete-without-frame", 30480)]),
    ("two ends of the video", lambda a: a.repeat("complete"), [("complete-twice", 30480)]),
    ("a pause behind the end", lambda a: a.put("pause", "complete", session=1), [("after-complete", 30480)]),
    ("two pauses", lambda a: a.repeat("pause"), [("pause-twice", 8400)]),
    ("frames are counted from 0 again", lambda a: a.set("quality_sample", 2, "state", "rendered_frames", 7),
     [("total-falls", 25500)]),
    ("the playhead jumps without a seek", lambda a: (a.remove("seek_start"), a.remove("seek_complete")),
     [("playhead-outruns-time", 25500)]),
    ("the playhead moves in a pause", lambda a: a.put("playhead_sample", "pause", 1, state={"playhead_ms": 9000}),
     [("playhead-moves-in-pause", 8400), ("playhead-goes-back", 10400)]),
    ("the playhead is behind the end", lambda a: a.set("complete", 1, "state", "playhead_ms", 25400),
     [("playhead-beyond-duration", 30480), ("playhead-goes-back", 30500)]),
    ("a seek misses what it said", lambda a: a.set("seek_complete", 1, "attributes", "seek_to_ms", 29000),
     [("seek-misses-target", 25480)]),
    ("no unload before the next load", lambda a: a.remove("video_unload"), [("unload-missing", 31000)]),
    ("a pause outside of a session", lambda a: a.put("pause", "player_ready"), [("outside-session", 5)]),
)


def broken(replay, folder, archive):
    """The rules that the example says are broken in the archive, with the times."""
    command = [replay, "--quiet", "--plugin-dir", folder, "--plugins", "conservation,jsonlines", archive]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        print(f"check_conservation: {' '.join(command)} ends with {run.returncode}:\n{run.stderr}", file=sys.stderr)
        sys.exit(69)
    said = [json.loads(line) for line in run.stdout.splitlines()]
    if not any(line["kind"] == "conservation" for line in said):
        print(f"check_conservation: {archive}: nothing is said", file=sys.stderr)
        sys.exit(69)
    found = [line for line in said if line["kind"] == "broken_rule"]
    return [(line["attributes"]["rule"], line["t_us"] // 1000) for line in found]


def main(arguments):
    if arguments in (["--help"], ["-h"]):
        print(USAGE, end="")
        return 0
    if len(arguments) < 3 or any(argument.startswith("-") for argument in arguments):
        print("check_conservation: three paths or more are needed; see --help", file=sys.stderr)
        return 64
    replay, folder, sample, *archives = arguments
    failures = 0
    for archive in [sample, *archives]:
        found = broken(replay, folder, archive)
        if found:
            print(f"check_conservation: {archive} is well-formed, and this is found: {found}", file=sys.stderr)
            failures += 1
    with open(sample, encoding="utf-8") as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as work:
        for what, plant, expected in MISTAKES:
            archive = Archive(text)
            plant(archive)
            with open(f"{work}/planted.tally", "w", encoding="utf-8") as file:
                file.write(archive.text())
            found = broken(replay, folder, f"{work}/planted.tally")
            if found != expected:
                print(f"check_conservation: {what}: found {found}, expected {expected}", file=sys.stderr)
                failures += 1
    if failures == 0:
        print(f"conservation: finds {len(MISTAKES)} of {len(MISTAKES)} mistakes, none in {len(archives) + 1} good archives")
    return 0 if failures == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

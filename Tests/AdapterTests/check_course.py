#!/usr/bin/env python3
"""Plays one course in each player, and compares what they tell.

check_course.py BUILD_FOLDER MEDIA [--player NAME...] [--keep FOLDER]

MEDIA is the folder that Scripts/media makes. The course is a list of three: a film with a pause, a seek, a stall as
its server stops giving it, and its end; an address that is not there; a short file. All trackers speak. A replay of an
archive is byte by byte what was told live, the events are the same in the same order for all players, and times and
places are those that the players and the server know themselves, within 150 ms.

Nothing is decided by how long something takes but for these comparisons, which are made again, up to three times, as
a machine that is busy disturbs them.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import course_timing
from course_players import PROGRAMS, TRACKERS, Play, missing, prepare
from course_server import CourseServer, Gate, make_folder

PLAYERS = ["tally-player", "mpv", "playbin", "playbin3", "gst-play-1.0", "webkit"]
ATTEMPTS = 3
# How long the server stays silent once the stall was told, s.
SILENCE_SECONDS = 2.0
# After so many seconds a player that does not end is a failure; none passes by it.
LIMIT_SECONDS = 180

FIRST = ["video_load", "play", "rendition_change", "first_frame"]
MOVES = ["pause", "play", "seek_start", "seek_complete"]
STALL = ["buffer_start", "buffer_complete"]
END = ["complete", "video_unload"]
MISSING = ["video_load", "play", "player_error", "video_unload"]
BEGUN, OVER = ["application_launched", "player_ready"], ["application_terminated"]


def expected(player: str) -> "list[str]":
    """What all players can know, in the order of the course."""
    # gst-play-1.0 takes no commands without a terminal.
    moves = [] if player == "gst-play-1.0" else MOVES
    # A page has another pipeline, and so another run, for each address.
    between = OVER + BEGUN if player == "webkit" else []
    return BEGUN + FIRST + moves + STALL + END + between + MISSING + between + FIRST + END + OVER


def read_archives(play: Play) -> "list[dict[str, object]]":
    lines = []
    for path in play.archives:
        with open(path, encoding="utf-8") as file:
            lines += file.read().split("\n")
    # What is being written may have only a part of its last line.
    return [json.loads(line) for line in lines if line.endswith("}") and line.startswith("{")]


def told_events(lines: "list[dict[str, object]]") -> "list[str]":
    """The events that all players can know: waits are those in the midst of playback, renditions those on screen."""
    known = set(expected("mpv")) - set(STALL)
    over = [id(end) for _, end in course_timing.stalls(lines)]
    told: "list[str]" = []
    for line in lines:
        if id(line) in over:
            told += STALL
        attributes = line.get("attributes")
        is_decided = isinstance(attributes, dict) and attributes.get("rendition_phase") == "decided"
        if line.get("event") in known and not is_decided:
            told.append(str(line["event"]))
    return told


def open_after_stall(play: Play, gate: Gate) -> None:
    """Opens the gate a while after a stall was recorded, or when the player is gone."""
    while play.process and play.process.poll() is None:
        if any(course_timing.is_stall(line) for line in read_archives(play)):
            time.sleep(SILENCE_SECONDS)
            break
        time.sleep(0.1)
    gate.open()


def play_course(player: str, build: str, media: str, first_byte: int, folder: str, shared: str) -> "tuple[Play, Gate]":
    gate = Gate(first_byte)
    server = CourseServer(media, {"film.mp4": gate})
    addresses = [f"{server.address}/{name}" for name in ("film.mp4", "nowhere.mp4", "short.mp4")]
    play = Play(player, build, folder, addresses, shared, server.said)
    try:
        play.start()
        threading.Thread(target=open_after_stall, args=(play, gate), daemon=True).start()
        play.end(LIMIT_SECONDS)
    finally:
        server.close()
    return play, gate


def problems_of(play: Play, lines: "list[dict[str, object]]") -> "list[str]":
    """What is wrong with what was told, but for its times."""
    problems = []
    told, wanted = told_events(lines), expected(play.player)
    if told != wanted:
        problems.append(f"told {' '.join(told)}, and not {' '.join(wanted)}; it wrote: {play.errors()[-500:]}")
    errors = [line["attributes"] for line in lines if line.get("event") == "player_error"]
    if [error.get("error_id") for error in errors if isinstance(error, dict)] != ["not_found"]:
        problems.append(f"the address that is not there is told as {errors}")
    return problems + problems_of_replay(play, lines)


def problems_of_replay(play: Play, lines: "list[dict[str, object]]") -> "list[str]":
    """Whether the archives are good, all trackers spoke, and a replay says what was told live."""
    problems: "list[str]" = []
    ends = [line["end"] for line in lines if "end" in line]
    if not ends or ends != ["drained"] * len(play.archives):
        return [*problems, f"{len(play.archives)} runs ended thus: {ends}"]
    tool = os.path.join(play.build, "tally-replay")
    # A page's clock runs on through a stall, and what was missed is left out: the playhead jumps.
    strict = [] if play.player == "webkit" else ["--strict"]
    check = subprocess.run([tool, "validate", *strict, *play.archives], capture_output=True, text=True)
    if check.returncode != 0:
        problems.append(f"the archive is not good: {check.stdout}{check.stderr}")
    again = os.path.join(play.folder, "again.jsonl")
    command = [tool, *play.archives, "--config", play.configuration, "--plugin-dir", play.build, "-q"]
    command += ["--set", f'plugins.jsonlines.config.path="{again}"']
    replay = subprocess.run(command, capture_output=True, text=True)
    if replay.returncode != 0:
        return [*problems, f"the replay fails: {replay.stderr}"]
    with open(play.live, "rb") as one, open(again, "rb") as other:
        live, replayed = one.read(), other.read()
    if live != replayed:
        problems.append(f"the replay differs: {len(live)} bytes live, {len(replayed)} of the replay")
    silent = [name for name in TRACKERS if f'"instance":"{name}"'.encode() not in live]
    return problems + [f"{name} said nothing" for name in silent]


def check_player(
    player: str, build: str, media: str, first_byte: int, shared: str, keep: str
) -> "tuple[bool, dict[str, float]]":
    """Plays the course until its times agree; gives whether all is well, and the last attempt's times."""
    measured: "dict[str, float]" = {}
    for attempt in range(1, ATTEMPTS + 1):
        folder = os.path.join(keep, f"{player}-{attempt}")
        os.makedirs(folder)
        play, gate = play_course(player, build, media, first_byte, folder, shared)
        lines = read_archives(play)
        problems = problems_of(play, lines)
        for problem in problems:
            print(f"{player}: {problem}", file=sys.stderr, flush=True)
        if problems:
            return False, {}
        measured = course_timing.measure(lines, gate)
        faults = course_timing.faults(measured, course_timing.own(play.words()))
        print(f"{player}: {len(told_events(lines))} events; {course_timing.text(measured)}", flush=True)
        if not faults:
            return True, measured
        print(f"{player}, attempt {attempt}: {'; '.join(faults)}", file=sys.stderr, flush=True)
    return False, measured


def main() -> int:
    parser = argparse.ArgumentParser(description="Plays one course in each player, and compares what they tell.")
    parser.add_argument("build")
    parser.add_argument("media")
    parser.add_argument("--player", action="append", choices=PLAYERS)
    parser.add_argument("--keep", help="a folder for what the players leave")
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    with tempfile.TemporaryDirectory(prefix="tally-course-") as scratch:
        media, shared = os.path.join(scratch, "media"), os.path.join(scratch, "shared")
        os.makedirs(media)
        os.makedirs(shared)
        first_byte = make_folder(media, os.path.join(arguments.media, "short.mp4"))
        shutil.copy(os.path.join(PROGRAMS, "playlist.html"), media)
        prepare(build, shared)
        results = {}
        for player in arguments.player or PLAYERS:
            reason = missing(player)
            if reason:
                print(f"{player}: left out: {reason}", flush=True)
                continue
            keep = os.path.abspath(arguments.keep) if arguments.keep else scratch
            results[player] = check_player(player, build, media, first_byte, shared, keep)
    apart = course_timing.differences({player: measured for player, (_, measured) in results.items()})
    for difference in apart:
        print(f"between players: {difference}", file=sys.stderr)
    return 0 if not apart and all(is_good for is_good, _ in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())

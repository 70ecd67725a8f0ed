#!/usr/bin/env python3
"""Changes what is on screen in each player, and compares what they tell.

check_renditions.py BUILD_FOLDER [--player NAME...] [--keep FOLDER]

tally-player and programs on GStreamer play a ladder of HLS whose highest rendition they may have from 2 s on. mpv does
not adapt: it plays a file with two pictures, and is told to show the other one. Each tells the change once, between
the first frame and the end, with the sizes of both, and a replay of its archive is byte by byte what was told live.
"""

import argparse
import os
import subprocess
import sys
import tempfile

from check_course import BEGUN, END, FIRST, LIMIT_SECONDS, OVER, problems_of_replay, read_archives, told_events
from course_players import Play, prepare
from course_server import CourseServer

PLAYERS = ["tally-player", "mpv", "playbin", "playbin3"]
SECONDS = 20
SIZES = ["320x180", "640x360"]
BITRATES = ["300k", "1200k"]
EXPECTED = BEGUN + FIRST + ["rendition_change"] + END + OVER


def make_media(folder: str) -> None:
    """A ladder of two renditions, and a file that has both pictures."""
    master = "#EXTM3U\n#EXT-X-VERSION:3\n"
    pictures: "list[str]" = []
    for size, bitrate in zip(SIZES, BITRATES):
        path = os.path.join(folder, size + ".mp4")
        command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25:duration={SECONDS}"]
        command += ["-f", "lavfi", "-i", f"sine=frequency=440:sample_rate=44100:duration={SECONDS}"]
        command += ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-keyint_min", "25"]
        command += ["-sc_threshold", "0", "-b:v", bitrate, "-maxrate", bitrate, "-bufsize", bitrate, "-c:a", "aac"]
        subprocess.run([*command, path], check=True)
        cut = ["ffmpeg", "-v", "error", "-i", path, "-c", "copy", "-hls_time", "1", "-hls_list_size", "0"]
        cut += ["-hls_playlist_type", "vod", os.path.join(folder, size + ".m3u8")]
        subprocess.run(cut, check=True)
        master += f"#EXT-X-STREAM-INF:BANDWIDTH={int(bitrate[:-1]) * 1000},RESOLUTION={size}\n{size}.m3u8\n"
        pictures += ["-i", path]
    both = ["ffmpeg", "-v", "error", *pictures, "-map", "0:v", "-map", "1:v", "-map", "0:a", "-c", "copy"]
    subprocess.run([*both, "-movflags", "+faststart", os.path.join(folder, "both.mp4")], check=True)
    with open(os.path.join(folder, "master.m3u8"), "w", encoding="utf-8") as file:
        file.write(master)


def sizes_of(lines: "list[dict[str, object]]") -> "list[str]":
    """What was on screen, in order."""
    sizes = []
    for line in lines:
        attributes, state = line.get("attributes"), line.get("state")
        if line.get("event") != "rendition_change" or not isinstance(attributes, dict) or not isinstance(state, dict):
            continue
        if attributes.get("rendition_phase") == "visible":
            sizes.append(f"{state.get('width')}x{state.get('height')}")
    return sizes


def check_player(player: str, build: str, media: str, folder: str, shared: str) -> bool:
    server = CourseServer(media, {})
    name = "both.mp4" if player == "mpv" else "master.m3u8"
    play = Play(player, build, folder, [f"{server.address}/{name}"], shared, server.said)
    try:
        play.start()
        play.end(LIMIT_SECONDS)
    finally:
        server.close()
    lines = read_archives(play)
    told, sizes = told_events(lines), sizes_of(lines)
    problems = []
    if told != EXPECTED:
        problems.append(f"told {' '.join(told)}, and not {' '.join(EXPECTED)}; it wrote: {play.errors()[-500:]}")
    if sizes != SIZES:
        problems.append(f"on screen was {' '.join(sizes)}, and not {' '.join(SIZES)}")
    problems += problems_of_replay(play, lines)
    for problem in problems:
        print(f"{player}: {problem}", file=sys.stderr, flush=True)
    print(f"{player}: {len(told)} events, {' '.join(sizes)}", flush=True)
    return not problems


def main() -> int:
    parser = argparse.ArgumentParser(description="Changes what is on screen in each player, and compares it.")
    parser.add_argument("build")
    parser.add_argument("--player", action="append", choices=PLAYERS)
    parser.add_argument("--keep", help="a folder for what the players leave")
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    with tempfile.TemporaryDirectory(prefix="tally-renditions-") as scratch:
        media, shared = os.path.join(scratch, "media"), os.path.join(scratch, "shared")
        os.makedirs(media)
        os.makedirs(shared)
        make_media(media)
        prepare(build, shared)
        failed = 0
        for player in arguments.player or PLAYERS:
            folder = os.path.join(os.path.abspath(arguments.keep) if arguments.keep else scratch, player)
            os.makedirs(folder)
            failed += not check_player(player, build, media, folder, shared)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Ends players of others with SIGKILL while they are tracked, and starts them again.

check_kills.py BUILD_FOLDER MEDIA [--count N] [--seed N]

Each round has a folder of archives, into which mpv or gst-play-1.0 records and is killed a few times; one that goes on to
its end follows. Then every archive has its end, is good, and what the reporter sqlite has of each run is what a replay of
its archive says, row by row.
"""

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time


def configuration(folder: str) -> str:
    path = os.path.join(folder, "tally.json5")
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            "{ archive: 'archives/', plugins: [ { plugin: 'new-relic-video' }, { plugin: 'nielsen-dcr', config: {"
            " appid: 'P10DF14BA-937E-436D-99DF-ED39A0422387', content: { assetid: 'film-1' } } },"
            f" {{ plugin: 'sqlite', config: {{ path: '{folder}/live.db' }} }} ] }}"
        )
    return path


def start(player: str, build: str, folder: str, media: str) -> "subprocess.Popen[bytes]":
    config = configuration(folder)
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "TALLY_CACHE": folder + "/cache"}
    if player == "mpv":
        command = ["mpv", "--no-config", "--vo=null", "--ao=null", "--no-terminal", f"--script={build}/libmpv-tally.so"]
        command += [f"--script-opts=tally-config={config},tally-plugin-folder={build}", media]
    else:
        plugins = folder + "/gstreamer"
        os.makedirs(plugins, exist_ok=True)
        if not os.path.exists(plugins + "/libgsttally.so"):
            os.symlink(build + "/libgsttally.so", plugins + "/libgsttally.so")
        environment["GST_PLUGIN_PATH"] = plugins
        environment["GST_REGISTRY"] = folder + "/registry.bin"
        environment["GST_TRACERS"] = f'tally(config="{config}",plugin-folder="{build}")'
        command = ["gst-play-1.0", "--videosink=fakevideosink", "--audiosink=fakesink sync=true"]
        command += ["--no-interactive", "--quiet", media]
    return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def rows(database: str) -> "list[tuple[object, ...]]":
    with sqlite3.connect(database) as connection:
        return sorted(connection.execute("SELECT run, instance, ordinal, time_us, kind, attributes FROM records"), key=repr)


def run_round(build: str, media: str, seed: int) -> "str | None":
    chance = random.Random(seed)
    player = chance.choice(["mpv", "gst-play-1.0"])
    kills = 0
    with tempfile.TemporaryDirectory(prefix="tally-kills-") as folder:
        archives = folder + "/archives"
        for _ in range(chance.randint(2, 5)):
            process = start(player, build, folder, media)
            time.sleep(chance.uniform(0.1, 2.5))
            process.send_signal(signal.SIGKILL)
            kills += process.wait() == -signal.SIGKILL
        last = start(player, build, folder, os.path.join(os.path.dirname(media), "short.mp4"))
        if last.wait() != 0:
            return f"{player} ended with {last.returncode}"
        names = sorted(os.listdir(archives))
        again = folder + "/again.db"
        for name in names:
            path = os.path.join(archives, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if '"end":' not in text.rstrip().split("\n")[-1]:
                return f"{player}: {name} has no end: {text[-200:]}"
            check = subprocess.run([build + "/tally-replay", "validate", path], capture_output=True, text=True)
            if check.returncode != 0:
                return f"{player}: {name}: {check.stdout}{check.stderr}"
            command = [build + "/tally-replay", path, "--config", folder + "/tally.json5", "--plugin-dir", build, "-q"]
            command += ["--set", f'plugins.sqlite.config.path="{again}"']
            replay = subprocess.run(command, capture_output=True, text=True)
            if replay.returncode != 0:
                return f"{player}: {name}: {replay.stderr}"
        live, replayed = rows(folder + "/live.db"), rows(again)
        if live != replayed:
            return f"{player}: {len(live)} rows live, {len(replayed)} of replays: {set(live) ^ set(replayed)}"
        print(f"seed {seed}: {player}, {kills} kills, {len(names)} archives, {len(live)} records", flush=True)
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description="Kills players of others while they are tracked.")
    parser.add_argument("build")
    parser.add_argument("media")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    arguments = parser.parse_args()
    failed = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        problem = run_round(os.path.abspath(arguments.build), os.path.abspath(arguments.media), seed)
        if problem:
            failed += 1
            print(f"seed {seed}: {problem}", file=sys.stderr, flush=True)
    print(f"{arguments.count - failed} of {arguments.count} rounds")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

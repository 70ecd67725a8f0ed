#!/usr/bin/env python3
"""Builds and runs the examples for players of other runtimes: java, vlc and kodi.

check_examples.py BUILD_FOLDER MEDIA [NAME...]

MEDIA is a film of some seconds. Each example records what it does; its archive then is good, has the events that the
player's page says, and its replay gives the output that the example's reporter wrote. One whose runtime is not installed is
left out, with what would install it. Exit codes: 0 all is well, 1 an example is wrong, 64 wrong arguments.
"""

import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Callable

EXAMPLES = os.path.join(os.path.dirname(__file__), "../../Hosts/Library/Examples")
PACKAGE = os.path.abspath(os.path.join(EXAMPLES, "../../Python"))
JNA = "/usr/share/java/jna.jar"


class Wrong(Exception):
    """What is wrong with an example."""


def run(command: "list[str]", **more: object) -> str:
    said = subprocess.run(command, capture_output=True, text=True, **more)  # type: ignore[call-overload]
    if said.returncode != 0:
        raise Wrong(f"{command[0]} ended with {said.returncode}: {(said.stdout + said.stderr)[-2000:]}")
    return str(said.stdout)


def environment(build: str, folder: str) -> "dict[str, str]":
    """libtally as the loader finds it when it is installed."""
    link = os.path.join(folder, "libtally.so.1")
    if not os.path.exists(link):
        os.symlink(os.path.join(build, "libtally.so"), link)
    return {**os.environ, "LD_LIBRARY_PATH": f"{folder}:{build}", "SWIFT_BACKTRACE": "enable=no"}


def events(archive: str) -> "list[str]":
    with open(archive, encoding="utf-8") as file:
        names = [json.loads(line).get("event") for line in file]
    return [name for name in names if name and not name.endswith("_sample")]


def check(build: str, archives: str, expected: "list[str]", output: "str | None") -> None:
    found = sorted(glob.glob(archives + "/*.tally"))
    if len(found) != 1:
        raise Wrong(f"one run is to be recorded, there are {len(found)} archives")
    run([build + "/tally-replay", "validate", "--strict", found[0]])
    told = [name for name in events(found[0]) if name != "metadata_change"]
    if told != expected:
        raise Wrong(f"it told {' '.join(told)} in place of {' '.join(expected)}")
    if not output:
        return
    again = output + ".again"
    path = f'plugins.jsonlines.config.path="{again}"'
    replay = [build + "/tally-replay", found[0], "--plugins", "new-relic-video,jsonlines", "--plugin-dir", build, "-q"]
    run([*replay, "--set", path])
    with open(output, "rb") as live, open(again, "rb") as replayed:
        if live.read() != replayed.read():
            raise Wrong("its replay gives another output")


def check_java(build: str, media: str, folder: str) -> None:
    for name in ("Player.java", "Tally.java"):
        shutil.copy(os.path.join(EXAMPLES, name), folder)
    run(["javac", "-cp", JNA, "Player.java", "Tally.java"], cwd=folder)
    output, known = folder + "/out.jsonl", environment(build, folder)
    run(["java", "-cp", JNA + ":.", "Player", build, "archives", output], cwd=folder, env=known)
    wait = ["buffer_start", "buffer_complete"]
    course = ["pause", "play", "seek_start", "seek_complete", *wait, "player_error", "complete", "video_unload"]
    check(build, folder + "/archives", ["video_load", "play", *wait, "first_frame", *course], output)


def check_vlc(build: str, media: str, folder: str) -> None:
    flags = run(["pkg-config", "--cflags", "--libs", "libvlc"]).split()
    header = os.path.join(EXAMPLES, "../CTally/include")
    known = environment(build, folder)
    program = folder + "/vlc-player"
    strict = ["-Wall", "-Wextra", "-Werror", "-I" + header]
    run(["cc", *strict, *glob.glob(EXAMPLES + "/vlc/*.c"), "-o", program, folder + "/libtally.so.1", *flags], env=known)
    output = folder + "/out.jsonl"
    options = ["--vout=dummy", "--aout=dummy"]
    # libVLC refuses to play for the superuser only as the program vlc.
    run([program, build, folder + "/archives", output, media, *options], env=known, stdin=subprocess.DEVNULL)
    wait = ["buffer_start", "buffer_complete"]
    check(build, folder + "/archives", ["video_load", "play", *wait, "first_frame", "complete", "video_unload"], output)


def ask_kodi(method: str, **parameters: object) -> "dict[str, object]":
    with socket.create_connection(("127.0.0.1", 9090), 10) as connection:
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        connection.sendall(json.dumps(request).encode())
        text, decoder = "", json.JSONDecoder()
        # Notices come between, one behind the other.
        while True:
            piece = connection.recv(65536).decode()
            if not piece:
                raise OSError("Kodi has closed the connection")
            text += piece
            while text:
                try:
                    answer, end = decoder.raw_decode(text)
                except ValueError:
                    break
                text = text[end:].lstrip()
                if answer.get("id") == 1:
                    return dict(answer)


def wait_until(what: str, holds: "Callable[[], bool]") -> None:
    limit = time.monotonic() + 120
    while time.monotonic() < limit:
        try:
            if holds():
                return
        except OSError:
            pass
        time.sleep(0.2)
    raise Wrong(f"Kodi does not get to this within two minutes: {what}")


def check_kodi(build: str, media: str, folder: str) -> None:
    home = folder + "/home"
    addon = home + "/.kodi/addons/service.tally"
    shutil.copytree(EXAMPLES + "/kodi", addon)
    known = {**environment(build, folder), "HOME": home, "PYTHONPATH": PACKAGE, "TALLY_LIBRARY": build + "/libtally.so"}
    archives = home + "/.kodi/userdata/addon_data/service.tally/archives"
    # Without a sound card Kodi waits for one as long as there is sound to play.
    mute = folder + "/mute.mp4"
    run(["ffmpeg", "-v", "error", "-i", media, "-an", "-c", "copy", mute])
    log = open(folder + "/kodi.log", "wb")
    kodi = subprocess.Popen(["xvfb-run", "-a", "kodi", "--standalone"], env=known, stdout=log, stderr=log, start_new_session=True)
    try:
        wait_until("it answers", lambda: ask_kodi("JSONRPC.Ping").get("result") == "pong")
        ask_kodi("Addons.SetAddonEnabled", addonid="service.tally", enabled=True)
        wait_until("the add-on records", lambda: bool(glob.glob(archives + "/*.tally*")))
        for _ in range(2):
            ask_kodi("Player.Open", item={"file": mute})
            wait_until("it plays", lambda: ask_kodi("Player.GetActivePlayers")["result"] != [])
            wait_until("the film is over", lambda: ask_kodi("Player.GetActivePlayers")["result"] == [])
        ask_kodi("Application.Quit")
        kodi.wait(120)
    finally:
        if kodi.poll() is None:
            os.killpg(kodi.pid, signal.SIGKILL)
        log.close()
    wait = ["buffer_start", "buffer_complete"]
    session = ["video_load", "play", *wait, "first_frame", "complete", "video_unload"]
    check(build, archives, session * 2, None)
    with open(glob.glob(archives + "/*.tally")[0], encoding="utf-8") as file:
        loads = [line for line in map(json.loads, file) if line.get("event") == "video_load"]
    if any("playhead_ms" in (load.get("state") or {}) for load in loads):
        raise Wrong("a load knows a playhead before anything plays")


# Each with what has to be there, and the packages that bring it.
CHECKS: "dict[str, tuple[Callable[[str, str, str], None], Callable[[], bool], str]]" = {
    "java": (
        check_java,
        lambda: shutil.which("javac") is not None and os.path.exists(JNA),
        "libjna-java openjdk-17-jdk-headless",
    ),
    "vlc": (
        check_vlc,
        lambda: subprocess.run(["pkg-config", "--exists", "libvlc"], check=False).returncode == 0
        and bool(glob.glob("/usr/lib/*/vlc/plugins/codec/libavcodec_plugin.so")),
        "libvlc-dev vlc-plugin-base",
    ),
    "kodi": (
        check_kodi,
        lambda: shutil.which("kodi") is not None and shutil.which("xvfb-run") is not None,
        "kodi xvfb",
    ),
}


def main() -> int:
    if len(sys.argv) < 3 or any(name not in CHECKS for name in sys.argv[3:]):
        print(f"check_examples: BUILD_FOLDER MEDIA [NAME...], of {', '.join(CHECKS)}", file=sys.stderr)
        return 64
    build, media = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    code = 0
    for name in sys.argv[3:] or CHECKS:
        perform, is_there, packages = CHECKS[name]
        if not is_there():
            print(f"check_examples: {name} is left out: apt-get install {packages}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                perform(build, media, folder)
                print(f"check_examples: {name} is well")
            except Wrong as problem:
                print(f"check_examples: {name}: {problem}", file=sys.stderr)
                code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())

"""The players of a course: how each is started with what tells Tally of it, and what it writes of itself."""

import json
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass, field

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Programs")
TRACKERS: "dict[str, dict[str, object]]" = {
    "new-relic-video": {"delivery": {"accountId": 123_456}},
    "mux-data": {"environmentKey": "abc123", "timeUpdates": False},
    "nielsen-dcr": {"appid": "P10DF14BA-937E-436D-99DF-ED39A0422387", "content": {"assetid": "film-1"}},
    "adobe-analytics": {},
    "adobe-heartbeat": {"trackingServer": "heartbeats.example.com", "jobId": "example-job", "publisher": "example"},
}
SCRIPT = "1 pause 0.5\n2 seek 4\n"
LADDER_SCRIPT = "@0 pin 400000\n2 pin auto\n"
FIRST_STARTUP_SECONDS = 120
# The Python that the distribution's bindings are made for.
SYSTEM_PYTHON = "/usr/bin/python3"


@dataclass
class Word:
    """What a player wrote of itself: the time of its clock, us, and its place, ms."""

    word: str
    time_us: int
    place_ms: int


@dataclass
class Play:
    """A player that plays a list, with a folder for what it leaves."""

    player: str
    build: str
    folder: str
    addresses: "list[str]"
    shared: str
    said: "list[str]"
    process: "subprocess.Popen[bytes] | None" = field(default=None)

    @property
    def configuration(self) -> str:
        return os.path.join(self.folder, "tally.json5")

    @property
    def live(self) -> str:
        return os.path.join(self.folder, "live.jsonl")

    @property
    def log(self) -> str:
        return os.path.join(self.folder, "player.log")

    @property
    def archives(self) -> "list[str]":
        folder = os.path.join(self.folder, "archives")
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        return [os.path.join(folder, name) for name in names]

    def errors(self) -> str:
        with open(os.path.join(self.folder, "errors.txt"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def start(self) -> None:
        """Starts the player, with all trackers, whose outputs go to a file."""
        plugins = {name: {"plugin": name, "config": config} for name, config in TRACKERS.items()}
        plugins["jsonlines"] = {"plugin": "jsonlines", "config": {"path": self.live}}
        os.makedirs(os.path.join(self.folder, "AdobeMobile"))
        settings = "ReplayTests/Archives/OnePlayback/AdobeMobile/ADBMobileConfig.json"
        shutil.copy(os.path.join(PROGRAMS, "..", "..", settings), os.path.join(self.folder, "AdobeMobile"))
        with open(self.configuration, "w", encoding="utf-8") as file:
            json.dump({"archive": os.path.join(self.folder, "archives") + "/", "plugins": plugins}, file)
        own = {"SWIFT_BACKTRACE": "enable=no", "TALLY_CACHE": os.path.join(self.folder, "cache")}
        with open(self.log, "wb") as output, open(os.path.join(self.folder, "errors.txt"), "wb") as errors:
            self.process = subprocess.Popen(
                self._command(),
                env={**os.environ, **own, **self._traced()},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )

    def _command(self) -> "list[str]":
        if self.player == "tally-player":
            script = os.path.join(self.folder, "course.script")
            with open(script, "w", encoding="utf-8") as file:
                file.write(LADDER_SCRIPT if self.addresses[0].endswith(".m3u8") else SCRIPT)
            command = [self.build + "/tally-player", "--config", self.configuration, "--plugin-dir", self.build]
            return command + ["--script", script, "-q", *self.addresses]
        if self.player == "mpv":
            command = ["mpv", "--no-config", "--vo=null", "--ao=null", "--no-terminal", "--ytdl=no"]
            command += [f"--script={PROGRAMS}/playlist.lua", f"--script={self.build}/libmpv-tally.so"]
            options = f"tally-config={self.configuration},tally-plugin-folder={self.build},playlist-log={self.log}"
            return command + ["--script-opts=" + options, *self.addresses]
        if self.player == "gst-play-1.0":
            command = ["gst-play-1.0", "--videosink=fakevideosink", "--audiosink=fakesink sync=true"]
            return command + ["--no-interactive", *self.addresses]
        if self.player == "webkit":
            page, names = os.path.split(self.addresses[0])[0], [address.split("/")[-1] for address in self.addresses]
            command = ["xvfb-run", "-a", SYSTEM_PYTHON, os.path.join(PROGRAMS, "browser.py")]
            return command + [f"{page}/playlist.html#{','.join(names)}"]
        return [os.path.join(self.shared, "playlist"), self.player, *self.addresses]

    def _traced(self) -> "dict[str, str]":
        if self.player in ("tally-player", "mpv"):
            return {}
        return {
            "GST_TRACERS": f'tally(config="{self.configuration}",plugin-folder="{self.build}")',
            "GST_PLUGIN_PATH": os.path.join(self.shared, "plugins"),
            "GST_REGISTRY": os.path.join(self.shared, "registry.bin"),
            # A sink that WebKit would choose where there is no loudspeaker, and that does not play then.
            "GST_PLUGIN_FEATURE_RANK": "openalsink:NONE",
        }

    def end(self, limit: float) -> None:
        """Waits until the player has ended by itself, or ends it, with what it started, when it does not."""
        assert self.process
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def words(self) -> "list[Word]":
        """What the player wrote of itself in its own words, if it is one that does."""
        lines = self.said
        if self.player not in ("tally-player", "gst-play-1.0", "webkit"):
            with open(self.log, encoding="utf-8", errors="replace") as file:
                lines = file.read().split("\n")
        parts = [line.split() for line in lines]
        return [Word(part[0], int(part[1]), int(part[2])) for part in parts if len(part) == 3]


def prepare(build: str, folder: str) -> None:
    """Compiles the program on GStreamer, and makes GStreamer's registry once, which takes long."""
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "gstreamer-1.0"], check=True, capture_output=True, text=True
    ).stdout.split()
    command = ["gcc", "-Wall", "-Wextra", "-Werror", "-o", os.path.join(folder, "playlist")]
    subprocess.run(command + [os.path.join(PROGRAMS, "playlist.c"), *flags], check=True)
    os.makedirs(os.path.join(folder, "plugins"))
    os.symlink(build + "/libgsttally.so", os.path.join(folder, "plugins", "libgsttally.so"))
    environment = {**os.environ, "GST_PLUGIN_PATH": os.path.join(folder, "plugins")}
    environment["GST_REGISTRY"] = os.path.join(folder, "registry.bin")
    inspect = subprocess.run(
        ["gst-inspect-1.0", "tally"], env=environment, capture_output=True, text=True, timeout=FIRST_STARTUP_SECONDS
    )
    if inspect.returncode != 0:
        raise RuntimeError(f"GStreamer does not load the tracer: {inspect.stdout}{inspect.stderr}")


def missing(player: str) -> "str | None":
    """Why a player cannot be played with here."""
    if player != "webkit":
        return None
    if not shutil.which("xvfb-run"):
        return "xvfb-run is not installed"
    look = [SYSTEM_PYTHON, "-c", "import gi; gi.require_version('WebKit2', '4.1'); from gi.repository import WebKit2"]
    found = os.path.exists(SYSTEM_PYTHON) and subprocess.run(look, capture_output=True).returncode == 0
    return None if found else "WebKitGTK is not installed: python3-gi, gir1.2-webkit2-4.1"

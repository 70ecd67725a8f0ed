"""What the players of a course are given: a film, made for it, and a server that stops giving it for a while."""

import http.server
import os
import shutil
import subprocess
import threading
import time
import urllib.parse

# The film's length, s, and up to where it is given before the server stops.
FILM_SECONDS = 14
GATE_SECONDS = 10
CHUNK = 16_384
TYPES = {".mp4": "video/mp4", ".m3u8": "application/vnd.apple.mpegurl", ".ts": "video/mp2t", ".html": "text/html"}


def make_film(path: str) -> None:
    """A film of one bitrate all along, so that bytes are a measure of time, with its index in front."""
    picture = f"testsrc2=size=320x240:rate=25:duration={FILM_SECONDS}"
    command = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", picture, "-f", "lavfi"]
    command += ["-i", f"sine=frequency=440:sample_rate=44100:duration={FILM_SECONDS}", "-vf", "noise=alls=20:allf=t"]
    command += ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-b:v", "1200k"]
    command += ["-maxrate", "1200k", "-bufsize", "600k", "-c:a", "aac", "-b:a", "96k", "-movflags", "+faststart", path]
    subprocess.run(command, check=True)


def first_byte_at(path: str, seconds: float) -> int:
    """Where the first packet of a place in a film lies in its file."""
    command = ["ffprobe", "-v", "error", "-show_entries", "packet=pts_time,pos", "-of", "csv=p=0", path]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    packets = [(float(line.split(",")[0]), int(line.split(",")[1])) for line in lines]
    return min(position for place, position in packets if place >= seconds)


class Gate:
    """Halts what is given of a file behind one of its bytes until it is opened."""

    def __init__(self, first_byte: int) -> None:
        self.first_byte = first_byte
        self.opened_us = 0
        self._open = threading.Event()

    def open(self) -> None:
        self.opened_us = self.opened_us or time.time_ns() // 1000
        self._open.set()

    def await_open(self) -> None:
        self._open.wait()


class CourseServer:
    """Serves the files of a folder, byte ranges among them; one file may have a gate. What a page says is kept."""

    def __init__(self, folder: str, gated: "dict[str, Gate]") -> None:
        self.folder = folder
        self.gated = gated
        self.said: "list[str]" = []
        course = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_HEAD(self) -> None:
                course.answer(self, has_body=False)

            def do_GET(self) -> None:
                course.answer(self, has_body=True)

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        for gate in self.gated.values():
            gate.open()
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request: http.server.BaseHTTPRequestHandler, has_body: bool) -> None:
        parts = urllib.parse.urlsplit(request.path)
        name = parts.path.lstrip("/")
        path = os.path.join(self.folder, name)
        if name == "say":
            self.said.append(urllib.parse.unquote(parts.query))
            request.send_response(204)
            request.end_headers()
        elif not os.path.isfile(path):
            request.send_response(404)
            request.send_header("Content-Length", "0")
            request.end_headers()
        else:
            self._give(request, path, self.gated.get(name), has_body)

    def _give(
        self, request: http.server.BaseHTTPRequestHandler, path: str, gate: "Gate | None", has_body: bool
    ) -> None:
        size = os.path.getsize(path)
        first, last = 0, size - 1
        asked = request.headers.get("Range", "")
        if asked.startswith("bytes="):
            begin, _, end = asked[len("bytes=") :].partition("-")
            first, last = (int(begin), min(int(end or last), last)) if begin else (max(0, size - int(end)), last)
        if first > last:
            request.send_response(416)
            request.send_header("Content-Range", f"bytes */{size}")
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        request.send_response(206 if asked else 200)
        request.send_header("Content-Type", TYPES[os.path.splitext(path)[1]])
        request.send_header("Accept-Ranges", "bytes")
        request.send_header("Content-Length", str(last - first + 1))
        if asked:
            request.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        request.end_headers()
        if has_body:
            self._write(request, path, first, last + 1, gate)

    @staticmethod
    def _write(
        request: http.server.BaseHTTPRequestHandler, path: str, first: int, end: int, gate: "Gate | None"
    ) -> None:
        try:
            with open(path, "rb") as file:
                file.seek(first)
                while first < end:
                    limit = min(end, gate.first_byte) if gate and first < gate.first_byte else end
                    if gate and first >= gate.first_byte:
                        request.wfile.flush()
                        gate.await_open()
                    part = file.read(min(CHUNK, limit - first))
                    request.wfile.write(part)
                    first += len(part)
        except OSError:
            # The player has enough of this answer: it moved, or is gone.
            request.close_connection = True


def make_folder(folder: str, short: str) -> int:
    """What is played: the film, and a short file; gives where the film is halted."""
    make_film(os.path.join(folder, "film.mp4"))
    shutil.copyfile(short, os.path.join(folder, "short.mp4"))
    return first_byte_at(os.path.join(folder, "film.mp4"), GATE_SECONDS)

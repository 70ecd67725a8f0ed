"""The collector's side of the protocol, and a server of media, pages and scripts whose answers a test can spoil."""
import collections
import http.server
import json
import os
import re
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
WEB = os.path.join(ROOT, "Hosts", "Collector", "Web")
TYPES = {".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".mp4": "video/mp4", ".m4s": "video/iso.segment",
         ".m3u8": "application/vnd.apple.mpegurl", ".css": "text/css", ".ts": "video/mp2t", ".wav": "audio/wav"}


class Collector:
    """What was sent, by run. Lines are taken by their number, once, and a batch that says no form is refused."""

    def __init__(self):
        self.lock = threading.Lock()
        self.runs = collections.defaultdict(list)
        self.posts = []
        # What the next posts are answered with: a status, "lost" (taken, but the answer never comes) or a whole answer.
        self.answers = []
        self.refused_keys = set()
        self.problems = []
        # Another collector that gets each batch, too, as its address and key.
        self.other = None
        self.prefix = f"page{time.time_ns()}-"

    def post(self, run, key, kind, body):
        """Takes a batch; returns status, headers and answer, or nothing when the answer is to be lost."""
        with self.lock:
            order = self.answers.pop(0) if self.answers else None
            self.posts.append({"run": run, "at": time.monotonic(), "bytes": len(body), "order": order, "type": kind})
            if key != "good":
                return 403, {}, {}
            if isinstance(order, tuple):
                return order
            if isinstance(order, int) and order != 200:
                return order, {}, {}
            head, *lines = body.decode().rstrip("\n").split("\n")
            head = json.loads(head)
            self.posts[-1]["head"] = head
            if head.get("form") != 1 or not isinstance(head.get("sent_us"), int) or kind.split(";")[0] != "text/plain":
                self.problems.append(f"{run}: a batch begins with {head} as {kind}")
            taken = self.runs[run]
            for text in lines:
                line = json.loads(text)
                if line["n"] == len(taken) + 1:
                    self.check(run, taken, line, head)
                    taken.append(line)
                elif line["n"] > len(taken) + 1:
                    self.problems.append(f"{run}: {line['n']} behind {len(taken)}")
                elif taken[line["n"] - 1] != line:
                    self.problems.append(f"{run}: {line['n']} is another line when sent again")
            if self.other:
                self.compare(run, body, len(taken))
            if order == "lost":
                return None
            return 200, {}, {"safe": len(taken)}

    def compare(self, run, body, safe):
        to, key = self.other
        url = f"{to}/runs/{self.prefix}{run}?key={urllib.parse.quote(key)}"
        request = urllib.request.Request(url, data=body, headers={"Content-Type": "text/plain"})
        try:
            with urllib.request.urlopen(request) as answer:
                other = json.load(answer).get("safe")
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            # A batch that comes again behind the run's end.
            other = json.loads(text).get("safe") if error.code == 410 else f"{error.code}, {text}"
        if other != safe:
            self.problems.append(f"{run}: the collector says {other} of {safe} lines")

    def check(self, run, taken, line, head):
        if not isinstance(line["t_us"], int) or line["t_us"] < 0 or (taken and line["t_us"] < taken[-1]["t_us"]):
            self.problems.append(f"{run}: the time of {line} falls")
        if line["t_us"] > head["sent_us"]:
            self.problems.append(f"{run}: {line} is later than its batch, {head}")
        if taken and "end" in taken[-1]:
            self.problems.append(f"{run}: {line} behind the end")
        for name, value in line.get("state", {}).items():
            if not isinstance(value, (int, bool)):
                self.problems.append(f"{run}: {name} is {value!r} in {line['event']}")
        for name, value in line.get("attributes", {}).items():
            if isinstance(value, dict) or (name.endswith(("_ms", "_bps", "_bytes", "_milli", "_width")) and not isinstance(value, int)):
                self.problems.append(f"{run}: {name} is {value!r} in {line['event']}")

    def lines(self, run):
        with self.lock:
            return list(self.runs[run])

    def events(self, run, without=("playhead_sample", "quality_sample")):
        return [line.get("event", line.get("end")) for line in self.lines(run) if line.get("event") not in without]


class Server(http.server.ThreadingHTTPServer):
    """A browser ends connections as it likes: that is no error."""

    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Site:
    """Media, pages and scripts. `delay` and `hold` are asked with a path: seconds to wait, or an event to wait for."""

    def __init__(self, collector, folders):
        self.collector = collector
        self.folders = {"web": WEB, "tests": HERE, **folders}
        self.hold = None
        self.held = threading.Event()
        self.fail = None
        self.rate = None
        self.requests = []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self, status, headers, body):
                self.send_response(status)
                for name, value in {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After",
                                    "Timing-Allow-Origin": "*", "Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                url = urllib.parse.urlsplit(self.path)
                match = re.fullmatch(r"/c/runs/([A-Za-z0-9._-]{1,64})", url.path)
                if not match:
                    self.answer(404, {}, b"")
                    return
                key = urllib.parse.parse_qs(url.query).get("key", [""])[0]
                answer = site.collector.post(match[1], key, self.headers.get("Content-Type", ""), body)
                if answer is None:
                    self.close_connection = True
                    self.connection.shutdown(2)
                    return
                status, headers, content = answer
                self.answer(status, {"Content-Type": "application/json", **headers}, json.dumps(content).encode())

            def do_GET(self):
                try:
                    self.get()
                except (ConnectionError, BrokenPipeError):
                    self.close_connection = True

            def get(self):
                path = urllib.parse.urlsplit(self.path).path
                site.requests.append(path)
                _, folder, *rest = path.split("/")
                name = os.path.join(site.folders.get(folder, "/nowhere"), *rest)
                if not os.path.isfile(name) or (site.fail and site.fail(path)):
                    self.answer(404, {}, b"")
                    return
                with open(name, "rb") as file:
                    content = file.read()
                first, last, status = 0, len(content) - 1, 200
                headers = {"Content-Type": TYPES.get(os.path.splitext(name)[1], "application/octet-stream"),
                           "Accept-Ranges": "bytes"}
                asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
                if asked:
                    first, last, status = int(asked[1]), min(last, int(asked[2] or last)), 206
                    headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
                self.send_response(status)
                for key, value in {**headers, "Access-Control-Allow-Origin": "*", "Timing-Allow-Origin": "*",
                                   "Content-Length": str(last + 1 - first)}.items():
                    self.send_header(key, value)
                self.end_headers()
                for place in range(first, last + 1, 16384):
                    while site.hold and site.hold(path, place):
                        time.sleep(0.02)
                    self.wfile.write(content[place : min(place + 16384, last + 1)])
                    if site.rate and folder == "media":
                        time.sleep(16384 * 8 / site.rate)

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://localhost:{self.port}/{path}"

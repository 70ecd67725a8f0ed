"""Checks the data of reports, by what other programs say of the same archive. See --help."""
import argparse
import base64
import gzip
import hashlib
import html.parser
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REASONS = {"start_failed": 4, "playback_failed": 3}


class Document(html.parser.HTMLParser):
    """A report as a browser takes it: its scripts, its style, its data, and what it refers to."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.scripts, self.styles, self.parts, self.references, self.policy = [], [], {}, [], ""
        self.target = None
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.references += [value for name, value in attributes.items() if name in ("src", "href")]
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        if tag == "style":
            self.target = self.styles
        elif tag == "script":
            self.target = attributes.get("data-part", self.scripts)

    def handle_endtag(self, tag):
        self.target = None

    def handle_data(self, data):
        if isinstance(self.target, list):
            self.target.append(data)
        elif self.target is not None:
            self.parts[self.target] = self.parts.get(self.target, "") + data

    def part(self, name):
        return json.loads(gzip.decompress(base64.b64decode(self.parts[name])))

    @property
    def pages(self):
        return {name: self.part(name) for name in self.parts if name.startswith("session/")}


class Check:
    """The programs, the folder that is worked in, and what was found wrong."""

    def __init__(self, program, plugins, folder):
        self.program, self.plugins, self.folder, self.problems, self.count = program, plugins, folder, [], 0

    def expect(self, holds, text):
        self.count += 1
        if not holds:
            self.problems.append(text)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *arguments):
        command = [self.program, *arguments, "--quiet"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.expect(run.returncode == 0, f"{' '.join(command)} ended with {run.returncode}: {run.stderr}")
        return run.stdout

    def report(self, name, *arguments, trackers="new-relic-video,mux-data"):
        self.run("report", *arguments, "-o", self.path(name), "--plugins", trackers, "--plugin-dir", self.plugins,
                 "--set", "plugins.mux-data.config.environmentKey=abc")
        return Document(self.path(name))

    def archive(self, name, *arguments):
        with open(self.path(name), "w", encoding="utf-8") as file:
            subprocess.run([sys.executable, os.path.join(HERE, "made_archive.py"), *arguments], stdout=file, check=True)
        return self.path(name)


def check_document(check, document):
    """The document asks for nothing, and its policy has the digests of what is in it alone."""
    check.expect(all(value.startswith("data:") for value in document.references), f"it refers to {document.references}")
    check.expect(len(document.scripts) == 2 and len(document.styles) == 1, "it has other scripts or styles")
    for text in document.scripts + document.styles:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        check.expect(f"'sha256-{digest}'" in document.policy, "the policy does not have a script's or style's digest")
    check.expect("default-src 'none'" in document.policy, f"the policy is {document.policy}")


def check_choice(check, document, number):
    """Sessions have pages by the stated rule."""
    sessions = document.part("sessions")
    rows = [dict(zip(sessions["columns"], row)) for row in sessions["rows"]]
    name = lambda row: (row["run"], row["session"])
    digest = lambda row: hashlib.sha256(f"{row['run']}/{row['session']}".encode()).digest()[:8]

    def badness(row):
        """The larger, the worse; of equals that with the larger hash goes first."""
        kind = REASONS.get(row["end_reason"], 2 if row["errors"] else 1 if row["end_reason"] == "exited_before_start" else 0)
        return kind, row["rebuffer_ratio"] or 0, row["startup_ms"] or 0, -int.from_bytes(digest(row), "big")

    share = number * 3 // 10
    expected = {
        "worst": sorted(rows, key=badness, reverse=True)[: number - 2 * share],
        "newest": sorted(rows, key=lambda row: row["loaded_ms"], reverse=True)[:share],
        "sample": sorted(rows, key=digest)[:share],
    }
    for reason, wanted in expected.items():
        found = {(run, session) for run, session, *why in sessions["pages"] if reason in why}
        check.expect(found == {name(row) for row in wanted}, f"{reason}: {found} and not {[name(row) for row in wanted]}")
    pages = {(page["run"], page["session"]) for page in document.pages.values()}
    check.expect(pages == {(run, session) for run, session, *_ in sessions["pages"]}, "other pages than are listed")
    return rows


def check_items(check, document, archive):
    """A page has what the reporter jsonlines writes of the session, but for playhead samples and what is personal."""
    page = max(document.pages.values(), key=lambda one: len(one["items"]))
    lines = check.run(archive, "--run", page["run"], "--plugins", "new-relic-video,mux-data,jsonlines", "--plugin-dir",
                      check.plugins, "--set", "plugins.jsonlines.config.path=-", "--set", "plugins.jsonlines.config.events=true",
                      "--set", "plugins.mux-data.config.environmentKey=abc")
    expected, begin = [], None
    for line in map(json.loads, lines.splitlines()):
        if line["line"] == "session_begin":
            begin = line["t_us"]
        if line["session"] != page["session"] or line["line"] not in ("event", "record", "beacon"):
            continue
        if line.get("type") == "playhead_sample":
            continue
        attributes = {name: value for name, value in line.get("attributes", {}).items() if name != "user_id"}
        expected.append((line["line"], line["t_us"] - begin, line["n"], line.get("type") or line.get("kind") or line["destination"],
                         json.dumps(attributes, sort_keys=True)))
    hide = lambda text: re.sub(r"viewer( |%20)\d+", "(personal)", text)
    found = [(item["kind"], item["t_us"], item["n"], item["name"], json.dumps(item.get("attributes", {}), sort_keys=True))
             for item in page["items"]]
    expected = [(*rest, hide(attributes)) for *rest, attributes in expected]
    check.expect(len(found) > 50, f"the longest page has {len(found)} items")
    check.expect([list(one) for one in found] == [list(one) for one in expected],
                 f"the items differ from jsonlines: {[pair for pair in zip(found, expected) if list(pair[0]) != list(pair[1])][:1]}")
    check.expect(page["left_out"] == 0 and len(page["samples"]) > 20, "the page lacks samples")


def check_personal(check, document, archive):
    """What is personal is nowhere, unless it is asked for."""
    personal = re.compile(r"viewer( |%20|\+)\d+")
    texts = [json.dumps(document.part(name)) for name in document.parts]
    check.expect(not any(personal.search(text) for text in texts), "a personal value is in the report")
    shown = check.report("personal.html", archive, "--personal", "--session-pages", "5")
    check.expect(any(personal.search(json.dumps(page)) for page in shown.pages.values()), "--personal shows nothing personal")


def check_numbers(check, document, archive):
    """Metrics, JSON and CSV say the same."""
    told = json.loads(check.run("report", archive, "--json", "--player-only"))
    measured = json.loads(check.run("metrics", archive, "--json"))
    check.expect(told["overview"]["now"]["metrics"] == measured, "--json has other metrics than tally-replay metrics")
    check.expect(document.part("overview")["now"]["metrics"] == measured, "the document has other metrics")
    check.expect(told["sessions"]["rows"] == document.part("sessions")["rows"], "--json has other rows than the document")
    table = check.run("report", archive, "--csv", "--player-only").splitlines()
    check.expect(len(table) == len(told["sessions"]["rows"]) + 1, f"--csv has {len(table)} lines")
    check.expect(table[0].split(",") == told["sessions"]["columns"], f"--csv begins with {table[0]}")


def check_order(check, document, archive):
    """The order of the archives' runs changes nothing but the order of what is equal."""
    runs = {}
    with open(archive, encoding="utf-8") as file:
        for line in file:
            runs.setdefault(line.split('"', 4)[3], []).append(line)
    turned = check.path("turned.tally")
    with open(turned, "w", encoding="utf-8") as file:
        for run in reversed(runs):
            file.writelines(runs[run])
    for name, arguments in (("turned.html", [turned]), ("jobs.html", [archive, "--jobs", "2"])):
        other = check.report(name, *arguments, "--session-pages", "20")
        check.expect(other.part("sessions") == document.part("sessions"), f"{name} chooses other sessions")
        check.expect(other.pages == document.pages, f"{name} has other pages")
        check.expect(other.part("overview")["now"]["metrics"] == document.part("overview")["now"]["metrics"], f"{name}: metrics")


def check_comparison(check, archive):
    """A set that starts later is worse in this, and one that equals the other in nothing."""
    slow = check.archive("slow.tally", "--sessions", "60", "--longest", "60", "--slow", "900")
    for before, expected in ((slow, {"startup_ms": True}), (archive, {})):
        told = json.loads(check.run("report", "--compare", before, archive, "--json", "--player-only"))["overview"]
        found = {one["name"]: one["better"] for one in told["differences"] if one["matters"]}
        check.expect(found == expected, f"the comparison with {os.path.basename(before)} finds {found}")
        check.expect(told["before"]["metrics"]["total"]["headline"]["sessions"] == 60, "what was before has other sessions")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="tally-replay")
    parser.add_argument("plugins", help="the folder of plugins")
    parser.add_argument("folder", help="an empty folder to work in")
    arguments = parser.parse_args()
    check = Check(arguments.program, arguments.plugins, arguments.folder)
    archive = check.archive("made.tally", "--sessions", "60", "--longest", "60")
    document = check.report("report.html", archive, "--session-pages", "20")
    check_document(check, document)
    rows = check_choice(check, document, 20)
    check.expect(len(rows) == 60, f"the list has {len(rows)} sessions")
    check.expect("<script>window" not in document.text, "what a player sent is in the document as it is")
    check_items(check, document, archive)
    check_personal(check, document, archive)
    check_numbers(check, document, archive)
    check_order(check, document, archive)
    check_comparison(check, archive)
    for problem in check.problems:
        print(problem, file=sys.stderr)
    print(f"{check.count} checks, {len(check.problems)} failed")
    return 1 if check.problems else 0


if __name__ == "__main__":
    sys.exit(main())

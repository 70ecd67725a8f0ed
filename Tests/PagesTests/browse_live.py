"""Looks at every page of a dashboard that goes on, in a real browser, in both themes and at two widths. See --help.

Checks that nobody gets in without the token, that pages change by themselves and keep what a viewer has done to them, that
nothing is asked of others, and that nothing that a player sent runs; writes screenshots.
"""
import argparse
import json
import os
import sys
import urllib.error
import urllib.request

from playwright.sync_api import TimeoutError, sync_playwright  # pylint: disable=redefined-builtin

from browse import CHROMIUM, Visit

WIDTHS = (390, 1280)


class LiveVisit(Visit):
    """One browser window on a dashboard."""

    def asked(self, address, own):
        if not address.startswith(("data:", "blob:", own.split("?")[0])):
            self.wrong(f"asked for {address}")

    def text(self, selector="main"):
        return self.page.locator(selector).first.inner_text()

    def changes(self, selector, what, milliseconds=15_000):
        """Waits until a text changes by itself."""
        before = self.text(selector)
        try:
            self.page.wait_for_function(
                "([selector, before]) => (document.querySelector(selector)?.innerText ?? before) !== before",
                arg=[selector, before], timeout=milliseconds)
        except TimeoutError:
            self.wrong(f"{what} does not change: {before[:80]!r}")


def read(url, token, path, **headers):
    request = urllib.request.Request(url.split("?")[0] + path, headers={"Authorization": f"Bearer {token}", **headers})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def paths(url, token):
    """The pages, each kind once, and the session whose player planted something."""
    overview, sessions = read(url, token, "overview.json"), read(url, token, "sessions.json")
    listed = {"now": "/", "overview": "/overview", "assets": "/assets", "quality": "/quality", "sessions": "/sessions",
              "plugins": "/plugins", "about": "/about", "unknown": "/nowhere"}
    videos = [video["id"] for video in overview["live"]["videos"]]
    if videos:
        listed["video"] = "/video/" + videos[0]
    groups = overview["now"]["metrics"]["groups"]["video_id"]["groups"]
    if groups:
        listed["asset"] = "/asset/" + groups[0]["value"]
    for run, number, *why in sessions["pages"]:
        kind = "session-open" if why == ["open"] else "session-ended"
        listed.setdefault(kind, f"/session/{run}/{number}")
        row = next((one for one in sessions["rows"] if one[0] == run and one[1] == number), None)
        if row and "<script>" in str(row[4]):
            listed["session-planted"] = f"/session/{run}/{number}"
    return listed


def check_token(browser, url, problems):
    """Nobody gets in without the token, and it is not in the address then."""
    context = browser.new_context()
    page = context.new_page()
    plain = url.split("?")[0]
    if page.goto(plain).status != 401 or "token" not in page.inner_text("body"):
        problems.append("without the token the dashboard opens")
    page.goto(url)
    page.wait_for_selector("main h1")
    if page.url.split("#")[0] != plain:
        problems.append(f"the token stays in the address: {page.url}")
    cookies = context.cookies()
    if not cookies or not all(cookie["httpOnly"] and cookie["sameSite"] == "Strict" for cookie in cookies):
        problems.append(f"the cookie is not kept from scripts and other sites: {cookies}")
    page.reload()
    page.wait_for_selector("main h1")
    context.close()
    try:
        urllib.request.urlopen(plain + "overview.json")
        problems.append("without the token there are data")
    except urllib.error.HTTPError as error:
        if error.code != 401:
            problems.append(f"without the token the answer is {error.code}")


def check_changes(visit, listed):
    """Pages change by themselves, and keep what a viewer has done to them."""
    page = visit.page
    if "session-open" in listed:
        visit.go(listed["session-open"])
        visit.changes("main .note", "the page of a session that goes on")
        page.locator(".item").first.click()
        chosen = visit.text(".details h3")
        page.get_by_role("button", name="Show less time").click()
        page.get_by_label("Search").fill("video")
        visit.changes("main .note", "the page of a session that goes on, with something chosen")
        visit.expect(visit.text(".details h3") == chosen, "a change loses the event that was chosen")
        visit.expect(page.get_by_label("Search").input_value() == "video", "a change loses the search")
        names = page.locator(".item").all_inner_texts()
        visit.expect(names and all("video" in name.lower() for name in names), f"a change loses the filter: {names[:3]}")
        focused = page.evaluate("() => document.activeElement.type")
        visit.expect(focused == "search", f"a change takes the focus away, to {focused}")
        wide = page.evaluate("() => document.querySelector('.lanes-body').clientWidth / document.querySelector('.lanes-scroll').clientWidth")
        visit.expect(wide > 1.8, f"a change loses the zoom: {wide}")
    visit.go("/overview")
    if page.locator("figure details summary").count():
        page.locator("figure details summary").first.click()
        page.wait_for_timeout(5_000)
        visit.expect(page.locator("figure details[open] tbody tr").count() > 0, "a change folds a table up")
    visit.go("/")
    page.get_by_role("button", name="Pause").click()
    before = visit.text()
    page.wait_for_timeout(4_500)
    visit.expect(visit.text() == before, "a page that is held still changes")
    page.get_by_role("button", name="Go on").click()
    visit.expect(page.get_by_role("status").first.inner_text() == "Live", "the page does not go on")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url_file", help="the file that the dashboard has written its address to")
    parser.add_argument("--screenshots", metavar="FOLDER", help="where screenshots go; none without it")
    parser.add_argument("--expect-host", action="store_true", help="the host says what its plugins did")
    arguments = parser.parse_args()
    with open(arguments.url_file, encoding="utf-8") as file:
        url = file.read().strip()
    token = url.split("token=")[1]
    problems = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        check_token(browser, url, problems)
        visit = LiveVisit(browser, url, 1280, "light", problems)
        check_changes(visit, paths(url, token))
        visit.context.close()
        for theme in ("light", "dark"):
            for width in WIDTHS:
                visit = LiveVisit(browser, url, width, theme, problems)
                for name, path in paths(url, token).items():
                    visit.go(path)
                    visit.page.wait_for_timeout(250)
                    visit.sound(path)
                    if arguments.screenshots:
                        os.makedirs(arguments.screenshots, exist_ok=True)
                        visit.page.screenshot(path=os.path.join(arguments.screenshots, f"{name}-{width}-{theme}.png"), full_page=True)
                if arguments.expect_host:
                    visit.go("/plugins")
                    visit.expect("does not say" not in visit.text(), "the host does not say what its plugins did")
                    visit.expect("new-relic-video" in visit.text(), "there is no tracker on the page of plugins")
                visit.context.close()
        browser.close()
    for problem in dict.fromkeys(problems):
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

"""Looks at every page of a report in a real browser, in both themes and at several widths. See --help.

Checks that nothing is asked of the network, nothing that a player sent runs, names, contrast and layout are sound, and
that lists, lanes and keys do what they should; writes screenshots.
"""
import argparse
import json
import os
import sys
import time

from playwright.sync_api import TimeoutError, sync_playwright  # pylint: disable=redefined-builtin

CHROMIUM = "/usr/bin/chromium"
WIDTHS = (360, 1280, 2560)

# What a tool such as axe looks for first, in one function.
SOUNDNESS = r"""
() => {
  const problems = [];
  const seen = (node) => { const box = node.getBoundingClientRect(); return box.width > 1 && box.height > 1 && node.checkVisibility(); };
  const name = (node) => (node.getAttribute("aria-label") || node.labels?.[0]?.textContent || node.textContent || node.title || "").trim();
  for (const node of document.querySelectorAll("button, a[href], input, select, summary, [role=img], [role=region]")) {
    if (seen(node) && !name(node)) problems.push(`no name: ${node.outerHTML.slice(0, 120)}`);
  }
  if (document.querySelectorAll("h1").length !== 1) problems.push("not one h1");
  let level = 1;
  for (const node of document.querySelectorAll("h1, h2, h3, h4")) {
    const next = Number(node.tagName[1]);
    if (next > level + 1) problems.push(`heading ${next} behind ${level}: ${node.textContent}`);
    level = next;
  }
  const channel = (value) => { const part = value / 255; return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const colour = (text) => { const parts = text.match(/[\d.]+/g).map(Number); return parts.length > 3 && parts[3] === 0 ? null : parts; };
  const ground = (node) => {
    for (let one = node; one; one = one.parentElement) { const found = colour(getComputedStyle(one).backgroundColor); if (found) return found; }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.getElementById("pages"), NodeFilter.SHOW_TEXT);
  const low = new Set();
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !seen(node) || node.closest("svg, .unseen, .skip, option")) continue;
    const style = getComputedStyle(node);
    const [one, other] = [light(colour(style.color)), light(ground(node))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && style.fontWeight >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) low.add(`contrast ${ratio.toFixed(2)}: ${node.className} "${walker.currentNode.data.trim().slice(0, 30)}"`);
  }
  problems.push(...low);
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) problems.push(`the page is ${wide} px wider than the window`);
  if (window.planted) problems.push("what a player sent was run");
  return problems;
}
"""


class Visit:
    """One browser window on the report, which collects what goes wrong in it."""

    def __init__(self, browser, url, width, theme, problems):
        self.problems, self.label = problems, f"{width} {theme}"
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme,
                                      timezone_id="Europe/Stockholm", device_scale_factor=1)
        self.page = context.new_page()
        self.context = context
        self.page.on("console", lambda message: message.type in ("error", "warning") and self.wrong(message.text))
        self.page.on("pageerror", lambda error: self.wrong(str(error)))
        self.page.on("request", lambda request: self.asked(request.url, url))
        self.page.goto(url)
        self.page.wait_for_selector("main h1")

    def asked(self, address, own):
        if not address.startswith(("data:", "blob:")) and address.split("#")[0] != own:
            self.wrong(f"asked for {address}")

    def wrong(self, text):
        self.problems.append(f"{self.label}: {text}")

    def expect(self, holds, text):
        if not holds:
            self.wrong(text)

    def go(self, path):
        self.page.evaluate("path => { document.querySelector('h1').dataset.old = 1; location.hash = path; }", path)
        self.page.wait_for_selector("h1:not([data-old])")
        self.page.wait_for_timeout(120)

    def sound(self, path):
        for problem in self.page.evaluate(SOUNDNESS):
            self.wrong(f"{path}: {problem}")


def paths(visit):
    """The pages of the report: each kind once, and the session whose player planted something."""
    found = visit.page.evaluate("""async () => {
        const part = (name) => document.querySelector(`script[data-part="${CSS.escape(name)}"]`).textContent;
        const read = async (name) => JSON.parse(await new Response(new Blob([Uint8Array.from(atob(part(name)), (one) => one.charCodeAt(0))])
            .stream().pipeThrough(new DecompressionStream("gzip"))).text());
        const overview = await read("overview");
        const { rows, pages } = await read("sessions");
        const pair = (one) => `/session/${encodeURIComponent(one[0])}/${one[1]}`;
        const planted = pages.find((one) => rows.some((row) => row[0] === one[0] && String(row[4]).includes("<script>")));
        const longest = [...pages].sort((one, other) => part(`session/${other[0]}/${other[1]}`).length - part(`session/${one[0]}/${one[1]}`).length)[0];
        const asset = overview.now.metrics.groups.video_id.groups[0]?.value;
        return { compares: Boolean(overview.before), asset, planted: planted && pair(planted), longest: longest && pair(longest) };
    }""")
    listed = {"overview": "/", "assets": "/assets", "quality": "/quality", "sessions": "/sessions", "about": "/about", "unknown": "/nowhere"}
    if found["asset"]:
        listed["asset"] = "/asset/" + found["asset"]
    if found["compares"]:
        listed["compare"] = "/compare"
    listed["no-session"] = "/session/none/1"
    for name in ("longest", "planted"):
        if found[name]:
            listed[f"session-{name}"] = found[name]
    return listed


def check_list(visit):
    """Sorting, filtering and searching the sessions."""
    page = visit.page
    visit.go("/sessions")
    total = page.locator("[role=status]").inner_text()
    page.get_by_label("End").select_option("completed")
    badges = page.locator("table.sessions tbody .badge").all_inner_texts()
    visit.expect(badges and set(badges) == {"Completed"}, f"the filter by end shows {set(badges)}")
    visit.expect("end=completed" in page.url, "the filter is not in the address")
    page.reload()
    page.wait_for_selector("table.sessions tbody .badge")
    visit.expect(set(page.locator("table.sessions tbody .badge").all_inner_texts()) == {"Completed"}, "a deep link loses the filter")
    page.get_by_label("End").select_option("")
    visit.expect(page.locator("[role=status]").inner_text() == total, "all sessions do not come back")
    page.get_by_role("button", name="Startup").click()
    visit.expect(page.locator("th[aria-sort=descending]").inner_text().startswith("Startup"), "the list is not sorted by startup")
    took = page.evaluate("""async () => {
        const input = document.querySelector("input[type=search]");
        const started = performance.now();
        input.value = "city"; input.dispatchEvent(new Event("input"));
        document.querySelector(".long").getBoundingClientRect();
        return performance.now() - started;
    }""")
    texts = page.locator("table.sessions tbody th").all_inner_texts()
    visit.expect(all("city" in text.lower() for text in texts), f"the search for a title shows {texts[:3]}")
    frame = page.locator(".long")
    page.get_by_label("Search").fill("")
    frame.evaluate("node => { node.scrollTop = node.scrollHeight; }")
    page.wait_for_timeout(80)
    last = page.evaluate("() => Number([...document.querySelectorAll('tbody tr[aria-rowindex]')].pop().getAttribute('aria-rowindex'))")
    visit.expect(last == int(total.split(" of ")[1].split()[0].replace(",", "")) + 1, f"the last row is number {last}, of {total}")
    page.get_by_label("Search").fill("nobody has such a title")
    visit.expect(page.get_by_text("No session fits").is_visible(), "there is no empty state")
    return took


def check_session(visit, path):
    """Choosing in the lanes, in the list and by keys."""
    page = visit.page
    visit.go(path)
    mark = page.locator(".lanes-body .mark").first
    mark.click(force=True)
    details = page.locator(".details")
    visit.expect(details.locator("h3").count() == 1, "a click in a lane shows nothing")
    visit.expect(page.locator(".cursor").count() == page.locator(".lane").count(), "the moment is not marked in all lanes")
    first = details.inner_text()
    page.locator(".lanes-scroll").focus()
    page.keyboard.press("ArrowRight")
    visit.expect(details.inner_text() != first, "a key goes nowhere")
    visit.expect("at=" in page.url, "what is chosen is not in the address")
    chosen = details.locator("h3").inner_text()
    page.reload()
    page.wait_for_selector(".details h3")
    visit.expect(page.locator(".details h3").inner_text() == chosen, "a deep link to an event loses it")
    page.get_by_label("Kind").select_option("event")
    page.get_by_label("Search").fill("video_load")
    page.locator(".item").first.click()
    visit.expect("video_name" in details.inner_text(), "an event does not show its attributes")
    visit.expect("viewer " not in details.inner_text(), "a personal attribute is shown")
    page.get_by_role("button", name="Show less time").click()
    wide = page.evaluate("() => document.querySelector('.lanes-body').clientWidth / document.querySelector('.lanes-scroll').clientWidth")
    visit.expect(wide > 1.8, f"zooming makes the lanes {wide} times as wide")


def check_keys(visit):
    """The first stop of the tab key skips the navigation, and every chart opens its table."""
    page = visit.page
    page.goto(page.url.split("#")[0])
    page.reload()
    page.wait_for_selector("main h1")
    page.keyboard.press("Tab")
    visit.expect(page.evaluate("() => document.activeElement.className") == "skip", "the first stop does not skip the navigation")
    charts, tables = page.locator("canvas").count(), page.locator("figure details").count()
    visit.expect(charts > 0 and charts == tables, f"{charts} charts have {tables} tables")
    page.locator("figure details summary").first.click()
    # It is made by an event that comes behind the click.
    try:
        page.wait_for_selector("figure details[open] tbody tr", timeout=10_000)
    except TimeoutError:
        visit.wrong("the table of a chart is empty")
    page.get_by_label("Times").select_option("utc")
    visit.go("/about")
    visit.expect(" UTC" in page.locator("main").inner_text(), "times are not told in UTC")
    page.get_by_label("Theme").select_option("dark")
    visit.expect(page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 29)", "the theme does not change")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report")
    parser.add_argument("--screenshots", metavar="FOLDER", help="where screenshots go; none without it")
    parser.add_argument("--quick", action="store_true", help="one width and theme alone")
    arguments = parser.parse_args()
    url = "file://" + os.path.abspath(arguments.report)
    problems, figures = [], {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for theme in ("light", "dark"):
            for width in WIDTHS if not arguments.quick else (1280,):
                if arguments.quick and theme == "dark":
                    continue
                visit = Visit(browser, url, width, theme, problems)
                listed = paths(visit)
                for name, path in listed.items():
                    visit.go(path)
                    visit.sound(path)
                    if arguments.screenshots:
                        os.makedirs(arguments.screenshots, exist_ok=True)
                        target = os.path.join(arguments.screenshots, f"{name}-{width}-{theme}.png")
                        visit.page.screenshot(path=target, full_page=True)
                visit.context.close()
        visit = Visit(browser, url, 1280, "light", problems)
        figures["first_paint_ms"] = round(visit.page.evaluate(
            "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"))
        visit.page.reload()
        started = time.monotonic()
        visit.page.goto(url)
        visit.page.wait_for_selector("main h1")
        figures["page_ms"] = round((time.monotonic() - started) * 1000)
        if "asset" in listed:
            figures["filter_ms"] = round(check_list(visit), 1)
            check_keys(visit)
        if "session-longest" in listed:
            check_session(visit, listed["session-longest"])
        browser.close()
    print(json.dumps(figures))
    for problem in dict.fromkeys(problems):
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

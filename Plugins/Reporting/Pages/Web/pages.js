// The pages of a document: navigation, themes, and which page the address asks for.
import { element, emptyState, table } from "./elements.js";
import { bytes, count, duration, moment, momentUTC, useUTC, words } from "./format.js";
import { EmbeddedData, LiveData } from "./data.js";
import { beginCharts, endCharts } from "./charts.js";
import { overviewPage } from "./overview.js";
import { assetPage, assetsPage } from "./assets.js";
import { qualityPage } from "./quality.js";
import { sessionsPage } from "./sessions.js";
import { sessionPage } from "./session.js";
import { comparisonPage } from "./comparison.js";
import { runningPage, videoPage } from "./running.js";
import { pluginsPage } from "./plugins.js";

/** The page about the report itself: what it was made of, and what its words mean. */
async function aboutPage(data) {
  const overview = await data.overview();
  const { now: set } = overview;
  const { row_limit: rows, page_limit: most } = set.kept;
  return [
    element("section", {}, element("h2", {}, "What this was made of"), element("p", {},
      `${overview.made_by} made it `, element("span", { title: momentUTC(overview.made_ms) }, moment(overview.made_ms)),
      `. Attributes that are marked personal are ${overview.personal ? "in it" : "left out"}.`),
    set.archives && element("ul", {}, set.archives.slice(0, 50).map((name) => element("li", {}, element("code", {}, name))),
      set.archives.length > 50 && element("li", {}, `and ${count(set.archives.length - 50)} more`))),
    element("section", {}, element("h2", {}, "Which sessions are in it"), element("p", {},
      data.isLive && `Sessions that ended are kept for ${duration(overview.live.keep_s * 1000)}. `,
      `All sessions count in the metrics. At most ${count(rows)} are in the list, and ${count(most)} have a page: of `
      + "either number two fifths are the worst, three tenths the newest, and three tenths a fair sample: the smallest "
      + "hashes of their ids. The worst are first those that failed or left before the start, then those with the "
      + "greatest share of rebuffering, then those that started late.")),
    set.trackers.length > 0 && element("section", {}, element("h2", {}, "Trackers"), table("What the trackers said", [
      { title: "Tracker", text: (tracker) => tracker.instance },
      { title: "Plugin", text: (tracker) => `${tracker.plugin} ${tracker.version}` },
      { title: "Records", number: true, text: (tracker) => count(tracker.records) },
      { title: "Beacons", number: true, text: (tracker) => count(tracker.beacons) },
      { title: "In beacons", number: true, text: (tracker) => bytes(tracker.beacon_bytes) },
    ], set.trackers, { hiddenCaption: true })),
    element("section", {}, element("h2", {}, "What the metrics mean"), table("Metrics", [
      { title: "Metric", text: ([name]) => words(name) }, { title: "Unit", text: ([, metric]) => metric.unit },
      { title: "Of", text: ([, metric]) => metric.of }, { title: "Meaning", text: ([, metric]) => metric.meaning },
    ], Object.entries(set.metrics.metrics), { hiddenCaption: true })),
  ];
}

/** The pages of a report, and those of a dashboard, which begins with what goes on. */
function navigation(data, overview) {
  const shared = [["assets", "Assets"], ["quality", "Quality"], ["sessions", "Sessions"]];
  if (data.isLive) {
    return [["", "Now"], ["overview", "Overview"], ...shared, ["plugins", "Trackers and reporters"], ["about", "About"]];
  }
  return [["", "Overview"], ...shared, ...(overview.before ? [["compare", "Comparison"]] : []), ["about", "About"]];
}

const livePages = {
  "": { title: () => "Now", make: runningPage },
  overview: { title: () => "Overview", make: overviewPage },
  video: { title: ([id], { live }) => live.videos.find((one) => one.id === id)?.title ?? id ?? "Videos without an id",
    make: videoPage, below: "" },
  plugins: { title: () => "Trackers and reporters", make: pluginsPage },
};

const pages = {
  "": { title: () => "Overview", make: overviewPage },
  assets: { title: () => "Assets", make: assetsPage },
  asset: { title: ([id], overview) => overview.now.titles[id] ?? id, make: assetPage, below: "assets" },
  quality: { title: () => "Quality of service", make: qualityPage },
  sessions: { title: () => "Sessions", make: sessionsPage },
  session: { title: async ([run, number], overview, data) =>
    (await data.session(run, number))?.title ?? `Session ${number} of ${run}`, make: sessionPage, below: "sessions" },
  compare: { title: () => "Comparison", make: comparisonPage },
  about: { title: () => "About", make: aboutPage },
};

/** What is kept between two visits, where the browser lets a file keep anything. */
const remembered = {
  get(name) {
    try {
      return localStorage.getItem(`tally.${name}`);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`tally.${name}`, value);
    } catch {
      // It holds until the page is left.
    }
  },
};

/** The steps and the query of the address. */
function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const decode = (step) => {
    try {
      return decodeURIComponent(step);
    } catch {
      return step;
    }
  };
  const [name = "", ...steps] = path.split("/").map(decode);
  return { name, steps, query: new URLSearchParams(query ?? "") };
}

function remember(query) {
  const text = query.toString();
  const path = location.hash.split("?")[0] || "#/";
  history.replaceState(null, "", path + (text ? "?" + text : ""));
}

/** What a viewer has done to the page, to be done to the next drawing of it: fields, folds, places, focus. */
function keptState(main) {
  const focusable = "a, button, input, select, summary, [tabindex]";
  const all = (selector) => [...main.querySelectorAll(selector)];
  const frames = ".table-frame, .items-frame, .lanes-scroll, .details, pre";
  const folds = all("details").map((node) => node.open);
  const values = all("input, select").map((node) => node.value);
  const places = all(frames).map((node) => [node.scrollLeft, node.scrollTop]);
  const focused = all(focusable).indexOf(document.activeElement);
  const selection = document.activeElement instanceof HTMLInputElement
    ? [document.activeElement.selectionStart, document.activeElement.selectionEnd] : null;
  return () => {
    all("input, select").forEach((node, place) => {
      if (values[place] === undefined || node.value === values[place]) return;
      node.value = values[place];
      node.dispatchEvent(new Event(node instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
    });
    all("details").forEach((node, place) => { if (folds[place]) node.open = true; });
    all(frames).forEach((node, place) => { if (places[place]) [node.scrollLeft, node.scrollTop] = places[place]; });
    const node = focused >= 0 ? all(focusable)[focused] : null;
    node?.focus({ preventScroll: true });
    if (selection && node instanceof HTMLInputElement) node.setSelectionRange(...selection);
  };
}

/** Says whether the dashboard can be heard, and holds the page still when that is wanted. */
class LiveStatus {
  #text = element("span", { role: "status" }, "Live");
  #button;
  #isHeard = true;
  /** Whether the page is held still. */
  isPaused = false;

  constructor(onGoOn) {
    this.#button = element("button", { type: "button", onclick: () => {
      this.isPaused = !this.isPaused;
      this.#show();
      if (!this.isPaused) onGoOn();
    } }, "Pause");
  }

  get nodes() {
    return [this.#text, this.#button];
  }

  hear(isHeard) {
    this.#isHeard = isHeard;
    this.#show();
  }

  #show() {
    const text = !this.#isHeard ? "Not reached, trying again" : this.isPaused ? "Paused" : "Live";
    // Said to screen readers only when it changes.
    if (this.#text.textContent !== text) this.#text.textContent = text;
    this.#text.className = `badge ${!this.#isHeard ? "bad" : this.isPaused ? "warn" : "good"}`;
    this.#button.textContent = this.isPaused ? "Go on" : "Pause";
  }
}

class Document {
  #data;
  #main = element("main", { id: "main", tabindex: -1 });
  #links = element("ul", {});
  #turn = 0;
  #drawn = Promise.resolve();
  #isAnother = false;
  #pages;
  #status = null;
  #isHeld = false;

  constructor(data) {
    this.#data = data;
    this.#pages = data.isLive ? { ...pages, ...livePages } : pages;
  }

  async begin(root) {
    this.#applyTheme(remembered.get("theme") ?? "auto");
    useUTC(remembered.get("zone") === "utc");
    root.replaceChildren(
      element("a", { class: "skip", href: "#main", onclick: (event) => {
        event.preventDefault();
        this.#main.focus();
      } }, "Skip to the page"),
      element("header", { class: "top" }, element("p", { class: "brand" }, "Tally"),
        element("nav", { "aria-label": "Pages" }, this.#links), this.#choices()),
      this.#main);
    addEventListener("hashchange", () => this.#show());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#show(false));
    await this.#show(false);
    if (this.#data.isLive) this.#follow();
  }

  /** Draws the page anew whenever there is something new, and nobody would be disturbed by it. */
  #follow() {
    this.#status.hear(true);
    this.#data.listen(() => this.#refresh(), (isHeard) => this.#status.hear(isHeard));
    addEventListener("pointerdown", () => { this.#isHeld = true; });
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { this.#isHeld = false; });
    document.addEventListener("visibilitychange", () => this.#refresh());
  }

  #refresh() {
    const isChoosing = document.activeElement instanceof HTMLSelectElement || !getSelection().isCollapsed;
    if (document.hidden || this.#status.isPaused || this.#isHeld || isChoosing) return;
    this.#show(false);
  }

  #applyTheme(theme) {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    remembered.set("theme", theme);
  }

  #choices() {
    const select = (label, options, chosen, onChoose) => element("label", {}, element("span", { class: "unseen" }, label),
      element("select", { title: label, onchange: (event) => {
        onChoose(event.target.value);
        this.#show(false);
      } }, options.map(([value, text]) => element("option", { value, selected: value === chosen }, text))));
    if (this.#data.isLive) this.#status = new LiveStatus(() => this.#refresh());
    return element("div", { class: "choices" }, this.#status?.nodes,
      select("Times", [["local", "Local time"], ["utc", "UTC"]], remembered.get("zone") ?? "local", (zone) => {
        remembered.set("zone", zone);
        useUTC(zone === "utc");
      }),
      select("Theme", [["auto", "System theme"], ["light", "Light"], ["dark", "Dark"]],
        remembered.get("theme") ?? "auto", (theme) => this.#applyTheme(theme)));
  }

  /** Draws the page that the address asks for; one drawing begins when the one before is over. */
  #show(isAnotherPage = true) {
    const turn = ++this.#turn;
    this.#isAnother ||= isAnotherPage;
    // Of several that wait, the last one is enough.
    this.#drawn = this.#drawn.then(() => turn === this.#turn ? this.#draw() : undefined);
    return this.#drawn;
  }

  async #draw() {
    const isAnotherPage = this.#isAnother;
    this.#isAnother = false;
    const { name, steps, query } = place();
    let heading = "There is no such page";
    let content;
    beginCharts(!isAnotherPage);
    try {
      const overview = await this.#data.overview();
      const page = this.#pages[name];
      if (page) heading = await page.title(steps, overview, this.#data);
      this.#navigate(navigation(this.#data, overview), page?.below ?? name);
      content = page ? await page.make(this.#data, steps, query, remember)
        : emptyState("There is no such page", "The address names none of the pages above.");
    } catch (error) {
      content = element("div", { class: "notice", role: "alert" }, element("p", {}, "This page cannot be shown."),
        element("pre", {}, String(error?.message ?? error)));
      console.error(error);
    }
    document.title = `${heading} – Tally`;
    const restore = isAnotherPage ? null : keptState(this.#main);
    this.#main.replaceChildren(...[element("h1", {}, heading), content].flat(Infinity).filter(Boolean));
    endCharts();
    restore?.();
    if (!isAnotherPage) return;
    scrollTo(0, 0);
    this.#main.focus({ preventScroll: true });
  }

  #navigate(shown, current) {
    this.#links.replaceChildren(...shown.map(([name, title]) => element("li", {},
      element("a", { href: `#/${name}`, "aria-current": name === current ? "page" : undefined }, title))));
  }
}

const embedded = new EmbeddedData(document);
new Document(embedded.isThere ? embedded : new LiveData(document.baseURI)).begin(document.getElementById("pages"));

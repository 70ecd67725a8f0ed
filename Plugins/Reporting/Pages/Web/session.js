// The page of one session: its figures, its lanes, the list of what happened, and everything of what is chosen.
import { copyButton, element, emptyState, pageLink, pagePath, table } from "./elements.js";
import { bitrate, clock, count, duration, ending, endingTone, moment, momentUTC, share, words } from "./format.js";
import { LaneView, lanesOf } from "./lanes.js";
import { joinedText } from "./sessions.js";

const lineHeight = 34;

const kinds = [["", "All"], ["event", "Events"], ["record", "Records"], ["beacon", "Beacons"]];

/** What a session came to, as pairs of a name and a text. */
function figures(metrics) {
  return [
    ["Startup", duration(metrics.startup_ms)],
    ["With ads", duration(metrics.startup_with_ads_ms)],
    ["Played", duration(metrics.play_ms)],
    ["Rebuffering", metrics.rebuffer_count ? `${duration(metrics.rebuffer_ms)}, ${share(metrics.rebuffer_ratio)}` : "none"],
    ["Bitrate", bitrate(metrics.average_bitrate_bps)],
    ["Switches", `${count(metrics.switches_up)} up, ${count(metrics.switches_down)} down`],
    ["Seeks", count(metrics.seeks)],
    ["Ads", metrics.ads ? `${count(metrics.ads)}, ${duration(metrics.ad_ms)}` : "none"],
    ["Errors", count(metrics.errors)],
    ["Furthest place", share(metrics.progress)],
  ];
}

/** A value as text that tells texts, numbers and lists apart. */
function valueText(value) {
  if (value === null) return "null";
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}

/** Parameters of an address, one a row. */
function parameters(url) {
  const query = url.indexOf("?");
  if (query < 0) return [];
  return url.slice(query + 1).split("&").filter(Boolean).map((pair) => {
    const split = pair.indexOf("=");
    const decode = (text) => {
      try {
        return decodeURIComponent(text.replaceAll("+", " "));
      } catch {
        return text;
      }
    };
    return split < 0 ? [decode(pair), ""] : [decode(pair.slice(0, split)), decode(pair.slice(split + 1))];
  });
}

function pairs(caption, rows) {
  return rows.length > 0 && table(caption, [
    { title: "Name", text: ([name]) => name },
    { title: "Value", node: ([, value]) => element("span", { class: "value" }, valueText(value)) },
  ], rows);
}

/** A body as people read it: JSON is set out, everything else stays as it is. */
function bodyText(body) {
  if (typeof body !== "string") return JSON.stringify(body);
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function beaconParts(page, item, onChoose) {
  const records = item.records.map((ordinal) =>
    page.items.find((one) => one.kind === "record" && one.tracker === item.tracker && one.n === ordinal)).filter(Boolean);
  return [
    element("p", { class: "value" }, `${item.method} ${typeof item.url === "string" ? item.url : JSON.stringify(item.url)}`),
    records.length > 0 && element("p", {}, "Carries ", records.map((record) => element("button", {
      type: "button", class: "quiet", onclick: () => onChoose(record),
    }, `${record.name} ${record.n}`))),
    typeof item.url === "string" && pairs("Parameters", parameters(item.url)),
    pairs("Headers", item.headers),
    item.body && item.body.length > 0 && [
      element("h4", {}, "Body"), element("pre", { tabindex: 0, class: "body" }, bodyText(item.body)),
      copyButton(String(item.body), "Copy the body"),
    ],
  ];
}

/** All that is known of an event, record or beacon. */
function details(page, item, onChoose) {
  if (!item) return element("p", { class: "note" }, "Choose an event in the lanes or in the list to see all of it.");
  const tracker = item.tracker === undefined ? null : page.trackers[item.tracker];
  const { is, ...state } = item.state ?? {};
  const at = page.loaded_ms + item.t_us / 1000;
  return [
    element("h3", {}, words(item.name)),
    element("p", { class: "note" }, `${words(item.kind)} ${item.n}${tracker ? ` of ${tracker.instance}` : ""}, at `,
      element("strong", {}, clock(item.t_us / 1000, true)), ", ", element("span", { title: momentUTC(at) }, moment(at))),
    item.attributes && pairs("Attributes", Object.entries(item.attributes)),
    item.kind === "beacon" && beaconParts(page, item, onChoose),
    item.state && pairs("State of the player", [["is", (is ?? []).join(", ")], ...Object.entries(state)]),
  ];
}

/** What a list's line says of an item beside its name. */
function summary(item) {
  if (item.kind === "beacon") return `${item.method} ${String(item.url).split("?")[0]}`;
  const entries = Object.entries(item.attributes ?? {}).slice(0, 4);
  return entries.map(([name, value]) => `${name}=${valueText(value)}`).join("  ").slice(0, 160);
}

/** The list of all that happened: only the lines that are seen are on the page. */
function itemList(page, onChoose) {
  const body = element("ol", { class: "items" });
  const label = "All that happened, in order";
  const frame = element("div", { class: "items-frame", tabindex: 0, role: "region", "aria-label": label }, body);
  let items = page.items;
  let chosen = null;

  function line(item, place) {
    const tracker = item.tracker === undefined ? "player" : page.trackers[item.tracker].instance;
    const position = { "aria-setsize": items.length, "aria-posinset": place + 1 };
    const isChosen = item === chosen;
    return element("li", { style: { top: `${place * lineHeight}px` }, ...position }, element("button", {
      type: "button", class: isChosen ? "item chosen" : "item", "aria-pressed": String(isChosen),
      onclick: () => onChoose(item),
    }, element("span", { class: "time" }, clock(item.t_us / 1000, true)),
    element("span", { class: `who ${item.kind}` }, tracker), element("span", { class: "name" }, item.name),
    element("span", { class: "rest" }, summary(item))));
  }

  function draw() {
    const first = Math.max(0, Math.floor(frame.scrollTop / lineHeight) - 6);
    const last = Math.min(items.length, Math.ceil((frame.scrollTop + (frame.clientHeight || 400)) / lineHeight) + 6);
    body.style.height = `${items.length * lineHeight}px`;
    body.replaceChildren(...items.slice(first, last).map((item, place) => line(item, first + place)));
  }

  frame.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(frame);
  return {
    frame,
    filter(text, kind) {
      items = page.items.filter((item) => (!kind || item.kind === kind)
        && (!text || JSON.stringify(item).toLowerCase().includes(text)));
      frame.scrollTop = 0;
      draw();
      return items.length;
    },
    choose(item) {
      chosen = item;
      const place = items.indexOf(item);
      const top = place * lineHeight;
      if (place >= 0 && (top < frame.scrollTop || top > frame.scrollTop + frame.clientHeight - lineHeight)) {
        frame.scrollTop = top - frame.clientHeight / 2;
      }
      draw();
    },
  };
}

/** Says what a page that is full lacks, and how to see it. */
function leftOutNote(page, command) {
  const from = (time) => time === null || time === undefined ? null : clock(time / 1000);
  const [events, outputs] = [from(page.events_end_us), from(page.outputs_end_us)];
  const where = [events && `of the player's events from ${events} on`, outputs && `of what trackers said from ${outputs} on`]
    .filter(Boolean).join(", and ");
  return element("div", { class: "alert" },
    element("p", {}, `This page is full: ${count(page.left_out)} more entries are left out${where && `, ${where}`}. `
      + "Nothing has fallen silent. A report of the run shows more:"),
    reportCommand(command, page.run));
}

function reportCommand(command, run) {
  const text = `${command ?? "tally-replay report ARCHIVE -o session.html --run"} '${run.replaceAll("'", "'\\''")}'`;
  return element("p", { class: "command" }, element("code", {}, text), copyButton(text, "Copy"));
}

function course(page, query, remember, command) {
  const panel = element("aside", {
    class: "details panel", "aria-live": "polite", "aria-label": "What is chosen", tabindex: 0,
  });
  const lanes = lanesOf(page);
  const view = new LaneView(lanes, page.length_us, choose, Number(query.get("scale")) || 1);
  const list = itemList(page, choose);
  let chosen = null;

  function choose(item) {
    chosen = item;
    view.choose(item);
    list.choose(item);
    panel.replaceChildren(...[details(page, item, choose)].flat(Infinity).filter(Boolean));
    if (!item) return;
    query.set("at", String(item.t_us));
    query.set("n", `${item.kind}-${item.tracker ?? ""}-${item.n}`);
    remember(query);
  }

  function zoom(factor) {
    view.zoom(factor);
    if (view.scale > 1) query.set("scale", String(view.scale));
    else query.delete("scale");
    remember(query);
  }

  function move(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 2 : 0.5);
    if (!step) return;
    event.preventDefault();
    const place = page.items.indexOf(chosen) + step;
    choose(page.items[Math.min(Math.max(place, 0), page.items.length - 1)]);
  }

  view.node.addEventListener("keydown", move);
  const name = (item) => `${item.kind}-${item.tracker ?? ""}-${item.n}`;
  choose(page.items.find((item) => name(item) === query.get("n") && String(item.t_us) === query.get("at")) ?? null);
  const status = element("p", { class: "note", role: "status" }, `${count(page.items.length)} entries`);
  let text = "";
  let kind = "";
  const filter = () => {
    status.textContent = `${count(list.filter(text, kind))} of ${count(page.items.length)} entries`;
  };
  const zoomButton = (label, title, factor) =>
    element("button", { type: "button", title, "aria-label": title, onclick: () => zoom(factor) }, label);
  return [
    element("div", { class: "lanes panel" },
      element("div", { class: "lanes-head" }, element("h2", {}, "Course"), element("div", { class: "buttons" },
        zoomButton("−", "Show more time", 0.5), zoomButton("+", "Show less time", 2),
        zoomButton("All", "Show all of it", 0))),
      page.left_out > 0 && leftOutNote(page, command),
      view.node,
      element("ul", { class: "legend", "aria-label": "Colours of the state" },
        ["starting", "playing", "paused", "rebuffering", "seeking", "ad", "interrupted", "ended"].map((one) =>
          element("li", {}, element("span", { class: `swatch ${one}` }), words(one))))),
    element("div", { class: "split" },
      element("div", { class: "panel" }, element("h2", {}, "All that happened"),
        element("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
          element("label", {}, "Search ", element("input", { type: "search", placeholder: "Name, attribute or value",
            oninput: (event) => {
              text = event.target.value.trim().toLowerCase();
              filter();
            } })),
          element("label", {}, "Kind ", element("select", { onchange: (event) => {
            kind = event.target.value;
            filter();
          } }, kinds.map(([value, label]) => element("option", { value }, label))))),
        status, list.frame,
      ),
      panel),
  ];
}

/** The page of one session. */
export async function sessionPage(data, [run, number], query, remember) {
  const [page, { command }] = await Promise.all([data.session(run, number), data.overview()]);
  if (!page) {
    return [
      emptyState("This session has no page here", data.isLive
        ? "It is over for longer than sessions are kept, others have the pages, or it began before this dashboard did. "
          + "Where its run is recorded, a report of the archive has its page:"
        : "Its row is in the list of sessions. A report of its run has its page:"),
      reportCommand(command, run),
    ];
  }
  const { metrics } = page;
  const row = metrics.is_open && (await data.sessions()).find((one) => one.id === `${run}/${number}`);
  const isJoined = row?.why?.includes("joined");
  const asset = metrics.groups.video_id;
  return [
    element("p", { class: "note" },
      element("span", { class: `badge ${endingTone(metrics.end_reason)}` }, ending(metrics.end_reason)), " ",
      isJoined ? "Joined " : "Loaded ", element("span", { title: momentUTC(page.loaded_ms) }, moment(page.loaded_ms)),
      `, ${duration(page.length_us / 1000)} long. `,
      asset && ["Asset ", pageLink(pagePath("asset", asset), asset), ". "],
      "Run ", element("code", {}, page.run), `, session ${page.session}.`),
    isJoined && element("p", { class: "alert" }, joinedText),
    element("dl", { class: "facts" }, figures(metrics).map(([name, text]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, text)))),
    course(page, query, remember, command),
    element("details", { class: "numbers panel" }, element("summary", {}, "All metrics of this session"),
      pairs("Metrics", Object.entries(metrics).filter(([, value]) => value === null || typeof value !== "object"))),
  ];
}

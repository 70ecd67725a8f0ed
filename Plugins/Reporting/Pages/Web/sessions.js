// The list of sessions: sorted, filtered and searched at once; only the rows that are seen are on the page.
import { columnClass, copyButton, element, emptyState, pageLink, pagePath } from "./elements.js";
import { noSessions } from "./overview.js";
import { bitrate, count, counted, duration, ending, endingTone, moment, momentUTC, share } from "./format.js";

const rowHeight = 44;

/** What is known of a session that was under way when the dashboard was begun. */
export const joinedText = "This session was under way when the dashboard was begun: its times count from then, and what "
  + "came before is not here.";

const columns = [
  { name: "title", title: "Session", node: (row) => [
    row.why ? pageLink(pagePath("session", row.run, row.session), row.title ?? row.asset ?? "Untitled")
      : element("span", {}, row.title ?? row.asset ?? "Untitled"),
    element("span", { class: "id" }, `${row.run} / ${row.session}`),
  ] },
  { name: "end_reason", title: "End", node: (row) =>
    [element("span", { class: `badge ${endingTone(row.end_reason)}` }, ending(row.end_reason)),
      row.why?.includes("joined") && element("span", { class: "id", title: joinedText }, "joined midway")] },
  { name: "loaded_ms", title: "Loaded", node: (row) =>
    element("span", { title: momentUTC(row.loaded_ms) }, moment(row.loaded_ms)) },
  { name: "startup_ms", title: "Startup", number: true, text: (row) => duration(row.startup_ms) },
  { name: "play_ms", title: "Played", number: true, text: (row) => duration(row.play_ms) },
  { name: "rebuffer_ratio", title: "Rebuffering", number: true, text: (row) => share(row.rebuffer_ratio) },
  { name: "average_bitrate_bps", title: "Bitrate", number: true, wide: true,
    text: (row) => bitrate(row.average_bitrate_bps) },
  { name: "errors", title: "Errors", number: true, text: (row) => count(row.errors) },
  { name: "ads", title: "Ads", number: true, wide: true, text: (row) => count(row.ads) },
];

const filters = {
  text: (row, value) => row.search.includes(value.toLowerCase()),
  end: (row, value) => row.end_reason === value,
  asset: (row, value) => row.asset === value,
  page: (row, value) => value === "any" ? Boolean(row.why) : row.why?.includes(value) === true,
};

const pageChoices = [
  ["any", "With a page"], ["open", "Going on"], ["worst", "Worst"], ["newest", "Newest"], ["sample", "Fair sample"],
];

function sorted(rows, name, isDescending) {
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [left, right] = [one[name], other[name]];
    if (left === right) return one.loaded_ms - other.loaded_ms;
    // What has no value comes last, whichever way.
    if (left === null || left === undefined) return 1;
    if (right === null || right === undefined) return -1;
    return (left < right ? -1 : 1) * sign;
  });
}

/** A table whose body holds only the rows that are seen. */
function longTable(caption, onSort) {
  const head = columns.map((column) => element("th", { scope: "col", class: columnClass(column) },
    element("button", { type: "button", onclick: () => onSort(column.name) }, column.title)));
  const body = element("tbody", {});
  const grid = element("table", { class: "sessions" }, element("caption", { class: "unseen" }, caption),
    element("thead", {}, element("tr", { "aria-rowindex": 1 }, head)), body);
  const frame = element("div", { class: "table-frame long", tabindex: 0, role: "region", "aria-label": caption }, grid);
  let rows = [];
  let drawn = [-1, -1];

  function rowElement(row, place) {
    return element("tr", { "aria-rowindex": place + 2 }, columns.map((column, index) =>
      element(index ? "td" : "th", { scope: index ? undefined : "row", class: columnClass(column) },
        column.node ? column.node(row) : column.text(row))));
  }

  function draw(force = false) {
    // It grows with its rows up to the most that the style allows, so what is seen of it is not known before.
    const height = Math.max(frame.clientHeight, 600);
    const first = Math.max(0, Math.floor(frame.scrollTop / rowHeight) - 8);
    const last = Math.min(rows.length, Math.ceil((frame.scrollTop + height) / rowHeight) + 8);
    if (!force && drawn[0] === first && drawn[1] === last) return;
    drawn = [first, last];
    const space = (number) => element("tr", { class: "space", "aria-hidden": "true" },
      element("td", { colspan: columns.length, style: { height: `${number * rowHeight}px` } }));
    const seen = rows.slice(first, last).map((row, place) => rowElement(row, first + place));
    body.replaceChildren(space(first), ...seen, space(rows.length - last));
  }

  frame.addEventListener("scroll", () => draw(), { passive: true });
  new ResizeObserver(() => draw(true)).observe(frame);
  return { frame, show(found, sort, isDescending) {
    rows = found;
    grid.setAttribute("aria-rowcount", String(rows.length + 1));
    columns.forEach((column, place) => {
      const direction = column.name === sort ? (isDescending ? "descending" : "ascending") : "none";
      head[place].setAttribute("aria-sort", direction);
    });
    frame.scrollTop = 0;
    draw(true);
  } };
}

function choice(label, name, options, query, onChange) {
  return element("label", {}, label + " ", element("select", { onchange: (event) => onChange(name, event.target.value) },
    element("option", { value: "" }, "All"),
    options.map(([value, text]) => element("option", { value, selected: query.get(name) === value }, text))));
}

/** The page with the list of sessions; `query` says what is chosen, and `remember` keeps it in the address. */
export async function sessionsPage(data, steps, query, remember) {
  const [overview, rows] = await Promise.all([data.overview(), data.sessions()]);
  const { command, now: set } = overview;
  if (!rows.length) {
    return noSessions(overview);
  }
  const status = element("p", { class: "note", role: "status" });
  const nothing = emptyState("No session fits", "Fewer filters may find some.");
  const list = longTable("Sessions", (name) => {
    const isSame = (query.get("sort") ?? "loaded_ms") === name;
    query.set("sort", name);
    query.set("order", isSame && query.get("order") !== "up" ? "up" : "down");
    update();
  });
  let order = [];
  let orderedBy = "";

  function update() {
    remember(query);
    const sort = query.get("sort") ?? "loaded_ms";
    const isDescending = query.get("order") !== "up";
    if (orderedBy !== `${sort} ${isDescending}`) {
      order = sorted(rows, sort, isDescending);
      orderedBy = `${sort} ${isDescending}`;
    }
    const tests = Object.entries(filters).map(([name, test]) => [test, query.get(name)]).filter(([, value]) => value);
    const found = order.filter((row) => tests.every(([test, value]) => test(row, value)));
    list.show(found, sort, isDescending);
    status.textContent = `${count(found.length)} of ${counted(rows.length, "session")}`;
    list.frame.hidden = !found.length;
    nothing.hidden = found.length > 0;
  }

  function change(name, value) {
    if (value) query.set(name, value);
    else query.delete(name);
    update();
  }

  const reasons = [...new Set(rows.map((row) => row.end_reason))].sort().map((reason) => [reason, ending(reason)]);
  const total = set.metrics.total.headline;
  const known = total.sessions + total.open_sessions;
  update();
  return [
    element("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
      element("label", {}, "Search ", element("input", {
        type: "search", placeholder: "Title, asset or run", value: query.get("text") ?? "",
        oninput: (event) => change("text", event.target.value.trim()),
      })),
      choice("End", "end", reasons, query, change),
      choice("Pages", "page", pageChoices.filter(([name]) => name !== "open" || data.isLive), query, change),
      query.get("asset") && element("button", { type: "button", onclick: (event) => {
        change("asset", "");
        event.target.remove();
      } }, `Asset ${query.get("asset")} ✕`)),
    status, list.frame, nothing,
    known > rows.length && element("p", { class: "note" },
      `The list has ${count(rows.length)} of ${count(known)} sessions: the worst, the newest and a fair sample. `
      + "All are counted in the metrics."),
    data.isLive && element("p", { class: "note" },
      "Of sessions that have ended, the worst, the newest and a fair sample keep their page."),
    command && element("details", { class: "numbers" }, element("summary", {}, "Sessions without a page"),
      element("p", {}, "The page of any session is in the report of its run:"),
      element("p", { class: "command" }, element("code", {}, `${command} RUN`), copyButton(`${command} `, "Copy"))),
  ];
}

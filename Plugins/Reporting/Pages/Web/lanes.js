// One axis of time with a lane for each thing that went on; a chosen moment is marked in all of them.
import { element, shape } from "./elements.js";
import { bitrate, bytes, clock, duration, errorName, words } from "./format.js";

/** What the player does at an event, by the words of its state; the first that holds. */
const activities = [
  ["ad", ["in_ad_break", "in_ad"]], ["ended", ["ended"]], ["interrupted", ["interrupted"]], ["seeking", ["seeking"]],
  ["paused", ["paused"]],
];

function activity(state) {
  const is = state?.is ?? [];
  const found = activities.find(([, marks]) => marks.some((mark) => is.includes(mark)));
  if (found) return found[0];
  if (is.includes("buffering")) return is.includes("started") ? "rebuffering" : "starting";
  if (is.includes("playing")) return is.includes("started") ? "playing" : "starting";
  return "idle";
}

/** Stretches of events that lie between a begin and an end: [{from, to, item, text}]. */
function stretches(items, begins, ends, text, end) {
  const found = [];
  let open = null;
  const close = (time) => {
    if (open) found.push({ ...open, to: time });
    open = null;
  };
  for (const item of items) {
    if (begins.includes(item.name)) {
      close(item.t_us);
      open = { from: item.t_us, item, text: text(item) };
    } else if (ends.includes(item.name)) {
      close(item.t_us);
    }
  }
  close(end);
  return found;
}

function stateStretches(events, end) {
  const found = [];
  for (const item of events) {
    const name = activity(item.state);
    const last = found[found.length - 1];
    if (last?.name === name) continue;
    if (last) last.to = item.t_us;
    found.push({ from: item.t_us, to: end, item, name, text: words(name), class: `activity ${name}` });
  }
  return found;
}

/** Requests lie before the event that tells of them, as long as they took. */
function requestStretches(events) {
  return events.filter((item) => item.name.startsWith("request_")).map((item) => {
    const length = (item.attributes.request_duration_ms ?? 0) * 1000;
    const failed = item.name === "request_failed" || item.attributes.request_status >= 400;
    const size = item.attributes.request_bytes;
    const text = `${words(item.attributes.request_type ?? "request")}, ${failed ? "failed, " : ""}`
      + `${duration(length / 1000)}${size ? ", " + bytes(size) : ""}`;
    const from = Math.max(0, item.t_us - length);
    return { from, to: item.t_us, item, text, class: failed ? "request failed" : "request" };
  });
}

/** Puts requests that went on at the same time below each other, in at most so many rows. */
function stacked(parts, rows = 4) {
  const ends = Array(rows).fill(-1);
  for (const part of parts) {
    let row = ends.findIndex((end) => end <= part.from);
    if (row < 0) row = ends.indexOf(Math.min(...ends));
    ends[row] = Math.max(ends[row], part.to);
    part.row = row;
  }
  return parts;
}

function curve(samples, column, name, format, isStepped) {
  const points = samples.filter((sample) => sample[column] !== null && sample[column] >= 0)
    .map((sample) => [sample[0] * 1000, sample[column]]);
  return points.length > 1 && { name, points, format, isStepped };
}

const ownLane = /^(playhead_sample|request_|ad_|chapter_|player_error|application_error|quality_sample|rendition_change)/;

/** What a mark says of an event: of one with an error, which error. */
function errorText({ name, attributes }) {
  const { error_code: code, error_id: id, error_message: message, error_domain: domain } = attributes;
  const known = code ?? id ?? message;
  if (known === undefined) return undefined;
  return `${words(name)} ${errorName(known, { message: known === message ? null : message, id, domain })}`;
}

/** The lanes of a session: [{title, stretches?, marks?, curves?}], those with nothing in them left out. */
export function lanesOf(page) {
  const events = page.items.filter((item) => item.kind === "event");
  const end = page.length_us;
  const mark = (item, style, text) => ({ at: item.t_us, item, class: style, text: text ?? words(item.name) });
  const named = (pattern, style) => events.filter((item) => pattern.test(item.name)).map((item) =>
    mark(item, style, errorText(item)));
  const title = (key, fallback) => (item) =>
    String(item.attributes[key] ?? item.attributes[key.replace("name", "id")] ?? fallback);
  const between = (begins, ends, key, fallback) => stretches(events, begins, ends, title(key, fallback), end);
  const lanes = [
    { title: "State", stretches: stateStretches(events, end), height: 28 },
    { title: "Content position", curves: [curve(page.samples, 1, "Position", (ms) => clock(ms))], height: 56 },
    { title: "Buffer", curves: [curve(page.samples, 2, "Buffer", duration)], height: 48, isFilled: true },
    { title: "Bitrate, rendition", curves: [
      curve(page.samples, 3, "Bitrate", bitrate, true), curve(page.samples, 4, "Throughput", bitrate),
    ], marks: events.filter((item) => item.name === "rendition_change").map((item) => mark(item, "rendition",
      `Rendition ${item.attributes.rendition_name ?? ""} ${bitrate(item.attributes.rendition_bitrate_bps)}`)), height: 64 },
    { title: "Requests", stretches: stacked(requestStretches(events)), rows: 4, height: 44 },
    { title: "Ad breaks", height: 24,
      stretches: between(["ad_break_start"], ["ad_break_complete"], "ad_break_name", "Ad break") },
    { title: "Ads", height: 34, marksAtFoot: true, marks: named(/^ad_(click|error|quartile|skip)$/, "event"),
      stretches: between(["ad_start"], ["ad_complete", "ad_skip", "ad_break_complete"], "ad_name", "Ad") },
    { title: "Chapters", height: 24, stretches: between(["chapter_start"], ["chapter_complete", "chapter_skip"],
      "chapter_name", "Chapter").map((part) => ({ ...part, class: "chapter" })) },
    { title: "Errors", marks: named(/error$|^request_failed$/, "error"), height: 24 },
    { title: "Player and viewer", height: 24,
      marks: events.filter((item) => !ownLane.test(item.name)).map((item) => mark(item, "event")) },
    ...page.trackers.map((tracker, place) => ({
      title: tracker.instance, note: `${tracker.plugin} ${tracker.version}`, tracker: place, height: 40, rows: 2,
      marks: page.items.filter((item) => item.tracker === place).map((item) => ({
        ...mark(item, item.kind), row: item.kind === "beacon" ? 1 : 0, text: `${words(item.kind)} ${item.name}`,
      })),
    })),
  ];
  const missing = (lane) => {
    const from = lane.tracker === undefined ? page.events_end_us : page.outputs_end_us;
    return from !== null && from !== undefined && !lane.curves.length ? { from, to: end } : null;
  };
  return lanes.map((lane) => ({ ...lane, curves: (lane.curves ?? []).filter(Boolean) }))
    .filter((lane) => lane.stretches?.length || lane.marks?.length || lane.curves.length)
    .map((lane) => ({ ...lane, missing: missing(lane) }));
}

/** Steps of the axis, us: the first that leaves enough room. */
const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400]
  .map((seconds) => seconds * 1e6);

/** Draws lanes; `onChoose(item)` is called for what is clicked. */
export class LaneView {
  #lanes;
  #length;
  #onChoose;
  #zoom = 1;
  #chosen = null;
  #body = element("div", { class: "lanes-body" });
  #frame;

  /** `scale` is how many times as wide as the page the lanes are. */
  constructor(lanes, lengthMicroseconds, onChoose, scale = 1) {
    this.#zoom = Math.min(Math.max(scale, 1), 400);
    this.#lanes = lanes;
    this.#length = Math.max(lengthMicroseconds, 1000);
    this.#onChoose = onChoose;
    this.#frame = element("div", { class: "lanes-scroll", tabindex: 0, role: "group",
      "aria-label": "Lanes of the session; arrow keys go from event to event, the list below has the same" }, this.#body);
    this.#body.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(() => this.#draw()).observe(this.#frame);
  }

  /** The element with the lanes. */
  get node() {
    return this.#frame;
  }

  /** How many times as wide as the page the lanes are. */
  get scale() {
    return this.#zoom;
  }

  /** Shows the time so many times as wide; the middle, or what is chosen, stays where it is. */
  zoom(factor) {
    const place = this.#chosen?.t_us ?? this.#timeAt(this.#frame.scrollLeft + this.#frame.clientWidth / 2);
    this.#zoom = Math.min(Math.max(factor === 0 ? 1 : this.#zoom * factor, 1), 400);
    this.#draw();
    this.#reveal(place);
  }

  /** Marks a moment in all lanes, and what is chosen. */
  choose(item) {
    this.#chosen = item;
    this.#draw();
    if (item) this.#reveal(item.t_us, false);
  }

  #width() {
    return Math.max(280, (this.#frame.clientWidth - 1) * this.#zoom);
  }

  #x(time) {
    return 4 + Math.min(Math.max(time / this.#length, 0), 1) * (this.#width() - 8);
  }

  #timeAt(x) {
    return (x - 4) / (this.#width() - 8) * this.#length;
  }

  #reveal(time, isCentred = true) {
    const x = this.#x(time);
    const { scrollLeft, clientWidth } = this.#frame;
    if (isCentred || x < scrollLeft + 20 || x > scrollLeft + clientWidth - 20) {
      this.#frame.scrollLeft = x - clientWidth / 2;
    }
  }

  #click(event) {
    const hit = event.target.closest("[data-place]");
    if (hit) {
      const lane = this.#lanes[hit.closest("svg").dataset.lane];
      this.#onChoose((hit.dataset.kind === "mark" ? lane.marks : lane.stretches)[hit.dataset.place].item);
      return;
    }
    // Beside everything the nearest event of the lane is meant, if there is one near.
    const drawing = event.target.closest("svg");
    if (!drawing?.dataset.lane) return;
    const lane = this.#lanes[drawing.dataset.lane];
    const time = this.#timeAt(event.clientX - drawing.getBoundingClientRect().left);
    const items = [...(lane.marks ?? []), ...(lane.stretches ?? [])].map((part) => part.item);
    const nearest = items.sort((one, other) => Math.abs(one.t_us - time) - Math.abs(other.t_us - time))[0];
    if (nearest && Math.abs(this.#x(nearest.t_us) - this.#x(time)) < 24) this.#onChoose(nearest);
  }

  #draw() {
    if (!this.#frame.clientWidth) return;
    const width = this.#width();
    this.#body.style.width = `${width}px`;
    this.#body.replaceChildren(this.#axis(width), ...this.#lanes.map((lane, place) => this.#lane(lane, place, width)));
  }

  #axis(width) {
    const step = steps.find((one) => one / this.#length * width > 90) ?? steps[steps.length - 1];
    const drawing = shape("svg", { class: "axis", width, height: 24, "aria-hidden": "true" });
    for (let time = 0; time <= this.#length; time += step) {
      const x = this.#x(time);
      drawing.append(shape("line", { x1: x, x2: x, y1: 18, y2: 24 }),
        shape("text", { x: Math.min(x + 3, width - 34), y: 14 }, clock(time / 1000, step < 1e6)));
    }
    return drawing;
  }

  #lane(lane, place, width) {
    const { height } = lane;
    const drawing = shape("svg", { class: "lane", width, height, "data-lane": place, "aria-hidden": "true" });
    for (const one of lane.curves) this.#curve(drawing, one, lane, height);
    (lane.stretches ?? []).forEach((part, index) => this.#stretch(drawing, part, index, lane));
    (lane.marks ?? []).forEach((part, index) => this.#mark(drawing, part, index, lane));
    if (lane.missing) this.#gap(drawing, lane);
    if (this.#chosen) {
      const x = this.#x(this.#chosen.t_us);
      drawing.append(shape("line", { class: "cursor", x1: x, x2: x, y1: 0, y2: height }));
    }
    const title = element("div", { class: "lane-title", title: lane.note }, element("span", {}, lane.title));
    return element("div", { class: "lane-row" }, title, drawing);
  }

  /** Where the page has no more of a lane, which did not fall silent. */
  #gap(drawing, { missing, height }) {
    const x = this.#x(missing.from);
    const width = Math.max(this.#x(missing.to) - x, 3);
    drawing.append(shape("rect", { class: "gap", x, y: 0, width, height },
      shape("title", {}, `Left out from ${clock(missing.from / 1000)} on, as this page is full`)));
    if (width > 60) drawing.append(shape("text", { class: "gap-text", x: x + 6, y: height / 2 + 4 }, "left out"));
  }

  #curve(drawing, { name, points, format, isStepped }, lane, height) {
    const most = Math.max(...points.map(([, value]) => value), 1);
    // The text with the largest value stands above the line.
    const y = (value) => height - 3 - value / most * (height - 18);
    let path = "";
    let last = null;
    for (const [time, value] of points) {
      if (!path) path = `M${this.#x(time).toFixed(1)} ${y(value).toFixed(1)}`;
      else if (isStepped) path += `H${this.#x(time).toFixed(1)}V${y(value).toFixed(1)}`;
      else path += `L${this.#x(time).toFixed(1)} ${y(value).toFixed(1)}`;
      last = time;
    }
    if (lane.isFilled) {
      const below = `L${this.#x(last)} ${height}L${this.#x(points[0][0])} ${height}Z`;
      drawing.append(shape("path", { class: "area", d: path + below }));
    }
    drawing.append(shape("path", { class: `curve ${name.toLowerCase()}`, d: path },
      shape("title", {}, `${name}, up to ${format(most)}`)));
    if (name !== "Throughput") {
      drawing.append(shape("text", { class: "scale", x: this.#frame.scrollLeft + 6, y: 11 }, `up to ${format(most)}`));
    }
  }

  /** The classes of a part: what is chosen, and what happened in the same moment, stand out. */
  #style(kind, { item, class: own }) {
    const isNear = this.#chosen !== null && item.t_us === this.#chosen.t_us;
    return [kind, own ?? "plain", isNear && "near", item === this.#chosen && "chosen"].filter(Boolean).join(" ");
  }

  #stretch(drawing, part, index, lane) {
    const left = this.#x(part.from);
    const width = Math.max(1.5, this.#x(part.to) - left);
    const rows = lane.rows ?? 1;
    const height = (lane.height - 4) / rows;
    drawing.append(shape("rect", {
      class: this.#style("stretch", part), x: left, y: 2 + (part.row ?? 0) * height, width, height: Math.max(height - 1, 2),
      "data-kind": "stretch", "data-place": index,
    }, shape("title", {}, `${part.text}, ${clock(part.from / 1000, true)} to ${clock(part.to / 1000, true)}`)));
    if (rows === 1 && width > 48) {
      const room = Math.floor((width - 10) / 6.5);
      const text = part.text.length > room ? part.text.slice(0, Math.max(room - 1, 1)) + "…" : part.text;
      const place = { x: left + 5, y: lane.height / 2 + (lane.marksAtFoot ? 0 : 4) };
      drawing.append(shape("text", { class: `stretch-text ${part.class ?? "plain"}`, ...place }, text));
    }
  }

  #mark(drawing, part, index, lane) {
    const x = this.#x(part.at);
    const rows = lane.rows ?? 1;
    const y = lane.marksAtFoot ? lane.height - 5 : lane.height / rows * ((part.row ?? 0) + 0.5);
    const style = this.#style("mark", part);
    const paths = {
      error: `M${x - 5} ${y + 5}L${x} ${y - 6}L${x + 5} ${y + 5}Z`,
      beacon: `M${x} ${y - 5}L${x + 5} ${y}L${x} ${y + 5}L${x - 5} ${y}Z`,
      rendition: `M${x} 2L${x + 4} 8L${x - 4} 8Z`,
    };
    const drawn = paths[part.class]
      ? shape("path", { class: style, d: paths[part.class], "data-kind": "mark", "data-place": index })
      : shape("circle", { class: style, cx: x, cy: y, r: 4, "data-kind": "mark", "data-place": index });
    drawn.append(shape("title", {}, `${part.text}, ${clock(part.at / 1000, true)}`));
    drawing.append(drawn);
  }
}

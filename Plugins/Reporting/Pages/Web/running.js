// What is watched now: the list of videos, and the real-time report of one, each with its last hour.
import { element, emptyState, pageLink, pagePath, table } from "./elements.js";
import { bitrate, count, counted, duration, moment, momentUTC, none, rounded, share } from "./format.js";
import { chartFigure, sparkLine } from "./charts.js";

/** How many minutes the figures of the moment are made of; a line shows the last hour. */
const recent = 5;

/** The last hour of a video, minute by minute; the last one goes on. */
function hourOf(video, live) {
  const found = new Map(video.minutes.map((cells) =>
    [cells[0], Object.fromEntries(live.columns.map((name, place) => [name, cells[place]]))]));
  return Array.from({ length: 60 }, (_, place) => found.get(live.minute - 59 + place) ?? null);
}

function sum(minutes, name) {
  return minutes.reduce((total, minute) => total + (minute?.[name] ?? 0), 0);
}

function ratio(part, whole) {
  return whole > 0 ? part / whole : null;
}

/** What is told of a video: the figure of some minutes together, and how it is said. */
const measures = [
  { name: "Viewers", format: count, now: (video) => video.viewers, of: (minutes) => sum(minutes, "viewers"),
    axis: "Viewers", note: "The most at once in each minute: sessions that go on, and in which playback was asked for." },
  { name: "Starts a minute", format: (value) => rounded(value), axis: "Plays that started",
    of: (minutes) => sum(minutes, "starts") / minutes.length, note: "Plays that came to their first frame." },
  { name: "Startup", format: duration, axis: "Startup",
    of: (minutes) => ratio(sum(minutes, "startup_ms"), sum(minutes, "startups")), note: "Mean of the plays that started." },
  { name: "Rebuffering", format: share, axis: "Share of the time",
    of: (minutes) => ratio(sum(minutes, "rebuffer_ms"), sum(minutes, "rebuffer_ms") + sum(minutes, "play_ms")),
    note: "Of the time that was played or waited for." },
  { name: "Bitrate", format: bitrate, axis: "Bitrate",
    of: (minutes) => ratio(sum(minutes, "kilobits") * 1e6, sum(minutes, "rated_ms")),
    note: "Mean of the time that was played." },
  { name: "Errors", format: count, axis: "Errors", of: (minutes) => sum(minutes, "errors"), note: "All player errors." },
];

/** The figure of a measure at this moment: of the last minutes. */
function figureOf(measure, video, hour) {
  return measure.now ? measure.now(video) : measure.of(hour.slice(-recent));
}

/** How a measure went: nothing before the first minute in which something was watched. */
function courseOf(measure, hour) {
  const first = hour.findIndex(Boolean);
  return hour.map((minute, place) => first < 0 || place < first ? null : measure.of([minute]));
}

function name(video) {
  return video.title ?? (video.id || "Videos without an id");
}

function momentCards(video, live) {
  const hour = hourOf(video, live);
  return element("dl", { class: "cards" }, measures.map((measure) => element("div", { class: "card" },
    element("dt", {}, measure.name),
    element("dd", {}, element("span", { class: "figure" }, measure.format(figureOf(measure, video, hour))),
      element("span", { class: "below" }, measure.now ? "at this moment" : `in the last ${recent} minutes`),
      sparkLine(courseOf(measure, hour))))));
}

/** What is said of sessions whose begin the dashboard did not see; empty when there are none. */
function joinedCountText({ joined_sessions: number }) {
  if (!number) return "";
  return `${counted(number, "session")} ${number === 1 ? "was" : "were"} under way when this dashboard was begun: what came `
    + "since is here. They are in no figure of sessions that ended, since what came before is not known.";
}

/** The page with all videos that are watched now, or were in the last hour. */
export async function runningPage(data) {
  const { live } = await data.overview();
  if (!live.videos.length) {
    return emptyState("Nothing is watched", "A video is here from the load of its first session on, for an hour.");
  }
  const rows = live.videos.map((video) => ({ video, hour: hourOf(video, live) }));
  return [
    momentCards(live.total, live),
    live.joined_sessions > 0 && element("p", { class: "note" }, joinedCountText(live)),
    element("section", {}, element("h2", {}, "Videos"), table(`Videos of the last hour: ${count(rows.length)}`, [
      { title: "Video", node: ({ video }) => [
        pageLink(pagePath("video", video.id), name(video)),
        video.title && element("span", { class: "id" }, video.id),
      ] },
      ...measures.map((measure) => ({
        title: measure.name, number: true, wide: measure.name === "Bitrate" || measure.name === "Startup",
        node: ({ video, hour }) => [
          element("span", { class: "value" }, measure.format(figureOf(measure, video, hour))),
          sparkLine(courseOf(measure, hour)),
        ],
      })),
    ], rows)),
    element("p", { class: "note" }, "Viewers are those of this moment, the other figures those of the last "
      + `${recent} minutes; the lines show the last hour.`),
    live.left_out > 0 && element("p", { class: "note" },
      `${count(live.left_out)} more videos with fewer viewers are left out.`),
  ];
}

function sessionTable(rows) {
  return table(`Sessions of this video that go on: ${count(rows.length)}`, [
    { title: "Session", node: (row) => row.why
      ? pageLink(pagePath("session", row.run, row.session), `${row.run} / ${row.session}`) : `${row.run} / ${row.session}` },
    { title: "Loaded", node: (row) => element("span", { title: momentUTC(row.loaded_ms) }, moment(row.loaded_ms)) },
    { title: "Startup", number: true, text: (row) => duration(row.startup_ms) },
    { title: "Played", number: true, text: (row) => duration(row.play_ms) },
    { title: "Rebuffering", number: true, text: (row) => share(row.rebuffer_ratio) },
    { title: "Bitrate", number: true, wide: true, text: (row) => bitrate(row.average_bitrate_bps) },
    { title: "Errors", number: true, text: (row) => row.errors ? count(row.errors) : none },
  ], rows.slice(0, 100));
}

/** The real-time report of one video. */
export async function videoPage(data, [id = ""]) {
  const [{ live }, rows] = await Promise.all([data.overview(), data.sessions()]);
  const video = live.videos.find((one) => one.id === id);
  if (!video) return emptyState("This video is not watched", "Nobody has watched it in the last hour.");
  const hour = hourOf(video, live);
  const labels = hour.map((_, place) => moment((live.minute - 59 + place) * 60_000, { day: false, seconds: false }));
  const open = rows.filter((row) => (row.asset ?? "") === id && row.end_reason === "open")
    .sort((one, other) => other.loaded_ms - one.loaded_ms);
  return [
    element("p", { class: "note" }, "Asset ", element("code", {}, id || none), ". ",
      pageLink(pagePath("asset", id), "Its sessions that have ended, together"), ", ",
      pageLink(`/sessions?asset=${encodeURIComponent(id)}`, "and one by one"), "."),
    momentCards(video, live),
    element("section", {}, element("h2", {}, "The last hour"), element("div", { class: "grid three" },
      measures.map((measure) => chartFigure({
        title: measure.name, note: measure.note, kind: "line", height: 200, labels, labelTitle: "Minute",
        valueTitle: measure.axis, series: [{ name: measure.name, values: courseOf(measure, hour), format: measure.format,
          fill: "origin" }],
      })))),
    element("section", {}, element("h2", {}, "Who watches"), open.length ? sessionTable(open)
      : emptyState("Nobody", "No session of this video goes on.")),
    open.length > 100 && element("p", { class: "note" }, `The newest 100 of ${count(open.length)} are listed.`),
  ];
}

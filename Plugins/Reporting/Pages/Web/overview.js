// The overview: headline figures with their distributions, how they went over time, and the assets.
import { element, emptyState, pageLink, pagePath, table } from "./elements.js";
import { bitrate, byUnit, count, counted, duration, ending, moment, share } from "./format.js";
import { groupsOf, histogramBars } from "./data.js";
import { chartFigure, sparkBars } from "./charts.js";

/** The headline figures: what is large on a card, what is said below it, and the distribution beside it. */
const cards = [
  { name: "attempts", title: "Plays asked for", format: count, below: (h) => `${count(h.plays)} started` },
  { name: "startup_median_ms", title: "Startup, median", format: duration, shape: "startup_ms",
    below: (h) => `95 of 100 within ${duration(h.startup_p95_ms)}` },
  { name: "weighted_rebuffer_ratio", title: "Rebuffering, of all time", format: share, shape: "rebuffer_ratio",
    below: (h) => `in ${share(h.rebuffered_share)} of the plays` },
  { title: "Failures", format: share, value: (h) => failureShare(h),
    below: (h) => `${share(h.start_failure_share)} at the start, ${share(h.playback_failure_share)} of plays later` },
  { name: "exit_before_start_share", title: "Left before start", format: share,
    below: () => "of the attempts, without an error" },
  { name: "weighted_bitrate_bps", title: "Bitrate, mean", format: bitrate, shape: "average_bitrate_bps",
    below: (h) => `over ${duration(h.total_play_ms)} of play` },
  { name: "completed_share", title: "Completed", format: share, shape: "progress", below: () => "of the plays" },
  { name: "play_ms", title: "Time played", format: duration, shape: "play_ms",
    below: (h) => `a play, ${duration(h.total_play_ms)} in all` },
];

/** The share of attempts that failed, at the start or later. */
function failureShare(headline) {
  if (headline.start_failure_share === null) return null;
  const later = (headline.playback_failure_share ?? 0) * headline.plays / Math.max(headline.attempts, 1);
  return headline.start_failure_share + later;
}

/** The cards of a group of sessions. */
export function headlineCards(group) {
  return element("dl", { class: "cards" }, cards.map((card) => {
    const value = card.value ? card.value(group.headline) : group.headline[card.name];
    const bars = card.shape ? histogramBars(group.metrics[card.shape]?.histogram, 20) : [];
    return element("div", { class: "card" },
      element("dt", {}, card.title),
      element("dd", {}, element("span", { class: "figure" }, card.format(value)),
        element("span", { class: "below" }, card.below(group.headline)), bars.length > 1 && sparkBars(bars)));
  }));
}

/** Distributions that are worth a chart. */
const distributions = [
  { name: "startup_ms", title: "Startup time",
    note: "From the wish to play to the first frame that moves, without ads." },
  { name: "rebuffer_ratio", title: "Share of rebuffering",
    note: "Of the time that was played or waited for; plays without any are at 0." },
  { name: "average_bitrate_bps", title: "Bitrate", note: "Mean of each play, weighted by time." },
  { name: "play_ms", title: "Time played",
    note: "Of each play: without startup, pauses, seeks, waits and ads." },
];

/** A chart of how many sessions had which value of a metric; nothing where none had any. */
export function distributionChart(set, group, { name, title, note }) {
  const metric = group.metrics[name];
  const bars = histogramBars(metric?.histogram);
  if (!bars.length) return null;
  const format = byUnit[set.metrics.metrics[name]?.unit] ?? count;
  const label = (bar) => {
    if (bar.to === 0) return "0";
    return bar.middle ? format(bar.middle) : `${format(bar.from)} to ${format(bar.to)}`;
  };
  return chartFigure({
    title,
    note: `${note} Median ${format(metric.p50)}, 95 of 100 up to ${format(metric.p95)}.`,
    labels: bars.map(label),
    ticks: bars.map((bar) => bar.to === 0 ? "0" : format(bar.middle ?? bar.from)),
    series: [{ name: "Sessions", values: bars.map((bar) => bar.count) }],
    labelTitle: title,
    valueTitle: "Sessions",
  });
}

/** All distributions of a group, side by side. */
export function distributionCharts(set, group) {
  return element("div", { class: "grid" }, distributions.map((one) => distributionChart(set, group, one)));
}

/** Steps of time by which sessions are grouped, from fine to coarse. */
const timeSteps = [
  { dimension: "loaded_minute", length: 60_000, title: "Minute of the load", day: false },
  { dimension: "loaded_hour", length: 3_600_000, title: "Hour of the load", day: true },
  { dimension: "loaded_day", length: 86_400_000, title: "Day of the load, UTC", day: true },
];

/** The groups by minute of load, or by hour or day where there are many, with every step between them. */
export function timeline(set) {
  const fewHours = groupsOf(set, "loaded_hour").length <= 3;
  const step = timeSteps.find(({ dimension }) => groupsOf(set, dimension).length > 0
    && (fewHours || dimension !== "loaded_minute")) ?? timeSteps[2];
  const at = new Map(groupsOf(set, step.dimension).map((group) => [Date.parse(group.value), group]));
  const times = [...at.keys()].sort((one, other) => one - other);
  const all = [];
  const last = times[times.length - 1];
  // Gaps are shown, unless nearly all would be gap.
  if (times.length && (last - times[0]) / step.length > 2_000) return { times, at, step };
  for (let time = times[0]; time <= last; time += step.length) all.push(time);
  return { times: all, at, step };
}

/** Charts of how a set of sessions went over time. */
export function timeCharts(set) {
  const { times, at, step } = timeline(set);
  if (times.length < 2) return [];
  const labels = times.map((time) => moment(time, { seconds: false, day: step.day }));
  const values = (read) => times.map((time) => at.has(time) ? read(at.get(time).headline) : null);
  const labelTitle = step.title;
  return [
    chartFigure({
      title: "Plays over time", labels, labelTitle, valueTitle: "Sessions",
      series: [
        { name: "Plays asked for", values: values((h) => h.attempts).map((value) => value ?? 0) },
        { name: "Plays that started", values: values((h) => h.plays).map((value) => value ?? 0) },
      ],
    }),
    chartFigure({
      title: "Startup over time", kind: "line", labels, labelTitle, valueTitle: "Startup",
      series: [
        { name: "Median", values: values((h) => h.startup_median_ms), format: duration },
        { name: "95 of 100 within", values: values((h) => h.startup_p95_ms), format: duration, dash: [6, 4] },
      ],
    }),
    chartFigure({
      title: "Rebuffering and failures over time", kind: "line", labels, labelTitle, valueTitle: "Share",
      series: [
        { name: "Rebuffering, of the time", values: values((h) => h.weighted_rebuffer_ratio), format: share },
        { name: "Failures, of the attempts", values: values(failureShare), format: share, dash: [6, 4] },
      ],
    }),
  ];
}

/** The section with how a set went over time; none where all was at one time. */
export function overTime(set) {
  const charts = timeCharts(set);
  return charts.length > 0
    && element("section", {}, element("h2", {}, "Over time"), element("div", { class: "grid three" }, charts));
}

/** The columns of a table of groups, but for the first. */
export const groupColumns = [
  { title: "Plays", number: true, text: (group) => count(group.headline.plays) },
  { title: "Startup, median", number: true, text: (group) => duration(group.headline.startup_median_ms) },
  { title: "Rebuffering", number: true, text: (group) => share(group.headline.weighted_rebuffer_ratio) },
  { title: "Failures", number: true, text: (group) => share(failureShare(group.headline)) },
  { title: "Bitrate", number: true, wide: true, text: (group) => bitrate(group.headline.weighted_bitrate_bps) },
  { title: "Completed", number: true, wide: true, text: (group) => share(group.headline.completed_share) },
  { title: "Time played", number: true, wide: true, text: (group) => duration(group.headline.total_play_ms) },
];

/** Groups with the most plays first. */
export function byPlays(groups) {
  return [...groups].sort((one, other) => other.headline.plays - one.headline.plays || (one.value < other.value ? -1 : 1));
}

/** What stands where there are no sessions at all: why there are none. */
export function noSessions({ live, now }) {
  const begin = "A session begins when a player loads a video.";
  if (live) {
    return emptyState("No sessions",
      `No session has begun since the dashboard was begun. ${begin} What was under way before is on the first page.`);
  }
  if (now.unselected_runs > 0) {
    return emptyState("Nothing was chosen", "The archives hold "
      + `${counted(now.unselected_runs, "player run")}, and the options that choose runs and sessions chose none.`);
  }
  return emptyState("No sessions", `The archives hold no playback. ${begin}`);
}

/** The overview page. */
export async function overviewPage(data) {
  const overview = await data.overview();
  const { now: set } = overview;
  const { total } = set.metrics;
  if (total.headline.sessions + total.headline.open_sessions === 0) {
    return noSessions(overview);
  }
  if (total.headline.sessions === 0) {
    return emptyState("No session has ended",
      "Figures are those of sessions that ended. What goes on is on the first page.");
  }
  const assets = byPlays(groupsOf(set, "video_id"));
  const reasons = Object.entries(total.end_reasons).sort((one, other) => other[1] - one[1]);
  return [
    headlineCards(total),
    overTime(set),
    element("section", {}, element("h2", {}, "Distributions"), distributionCharts(set, total)),
    element("section", { class: "grid" },
      element("div", {}, element("h2", {}, "Assets"),
        table("The assets with the most plays", [
          { title: "Asset", node: (group) =>
            pageLink(pagePath("asset", group.value), set.titles[group.value] ?? group.value) },
          ...groupColumns.slice(0, 4),
        ], assets.slice(0, 10), { hiddenCaption: true }),
        element("p", {}, pageLink("/assets", `All ${count(set.metrics.groups.video_id.distinct)} assets`))),
      element("div", {}, element("h2", {}, "How sessions ended"), chartFigure({
        title: "Ends of sessions", horizontal: true, height: 60 + 32 * reasons.length,
        labels: reasons.map(([reason]) => ending(reason)), labelTitle: "End", valueTitle: "Sessions",
        series: [{ name: "Sessions", values: reasons.map(([, number]) => number) }],
      }))),
  ];
}

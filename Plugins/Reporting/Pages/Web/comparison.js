// Two sets of sessions beside each other, with the differences that are more than chance.
import { element, emptyState, table } from "./elements.js";
import { byUnit, count, counted, errorName, none, rounded, words } from "./format.js";
import { chartFigure } from "./charts.js";
import { histogramBars } from "./data.js";

function formatOf(set, name) {
  if (name.startsWith("errors_by_code/")) {
    return (value) => value === null ? none : `${rounded(value * 100)} in 100 attempts`;
  }
  return byUnit[set.metrics.metrics[name]?.unit] ?? count;
}

const titles = {
  start_failed: "Failed to start", playback_failed: "Failed later", has_error: "With errors",
  startup_ms: "Startup time, mean", exited_before_start: "Left before start", rebuffered: "With rebuffering",
  rebuffer_ratio: "Share of rebuffering, mean of the plays",
  play_ms: "Time played, mean", average_bitrate_bps: "Bitrate, mean of the plays",
};

function title(name, sets) {
  if (!name.startsWith("errors_by_code/")) return titles[name] ?? words(name);
  const code = name.slice("errors_by_code/".length);
  return `Error ${errorName(code, sets.map((set) => set.errors[code]).find(Boolean))}`;
}

function change({ before, after }) {
  if (before === null || after === null) return none;
  if (before === 0) return after === 0 ? "none" : "new";
  const share = (after - before) / before * 100;
  return `${share > 0 ? "+" : ""}${rounded(share)} %`;
}

/** With fewer sessions on a side no difference is judged. */
const fewest = 20;

function isJudged(one) {
  return Math.min(one.before_sessions, one.after_sessions) >= fewest;
}

/** Why no difference matters. */
function noneMatters(differences, before, now) {
  if (differences.some(isJudged)) return emptyState("None", "No difference is larger than chance would make it.");
  const [earlier, later] = [before, now].map((set) => counted(set.metrics.total.headline.sessions, "session"));
  return emptyState("Too few sessions to tell", `A difference is judged with ${fewest} sessions or more on each side, and `
    + `there are ${earlier} before and ${later} now.`);
}

function verdict(one) {
  if (!isJudged(one)) return element("span", { class: "badge plain" }, "Too few sessions");
  if (!one.matters) return element("span", { class: "badge plain" }, "No sure difference");
  return element("span", { class: `badge ${one.better ? "good" : "bad"}` }, one.better ? "▲ Better" : "▼ Worse");
}

/** Both distributions of a metric on one axis. */
function bothDistributions(now, before, metric, text) {
  const format = formatOf(now, metric);
  const sides = [before, now].map((set) => histogramBars(set.metrics.total.metrics[metric]?.histogram, 1e6));
  if (!sides.every((bars) => bars.length > 1)) return null;
  const edges = sides.flat().filter((bar) => bar.to > 0);
  const low = Math.min(...edges.map((bar) => bar.from));
  const ratio = (Math.max(...edges.map((bar) => bar.to)) / low) ** (1 / 20);
  const place = (bar) =>
    bar.to === 0 ? 0 : Math.min(20, 1 + Math.floor(Math.log(bar.from / low * 1.0001) / Math.log(ratio)));
  const shares = sides.map((bars) => {
    const total = bars.reduce((sum, bar) => sum + bar.count, 0);
    const found = Array(21).fill(0);
    bars.forEach((bar) => { found[place(bar)] += bar.count / total; });
    return found;
  });
  const edge = (index) => format(low * ratio ** index);
  const labels = shares[0].map((_, index) => index === 0 ? "0" : `${edge(index - 1)} to ${edge(index)}`);
  const ticks = shares[0].map((_, index) => index === 0 ? "0" : edge(index - 1));
  const from = shares.some((one) => one[0] > 0) ? 0 : 1;
  return chartFigure({
    title: text, labels: labels.slice(from), ticks: ticks.slice(from), labelTitle: text,
    valueTitle: "Share of the sessions",
    series: ["Before", "Now"].map((name, side) => ({ name, values: shares[side].slice(from), format: byUnit["0 to 1"] })),
  });
}

/** Metrics whose distributions are shown. */
const shown = [
  ["startup_ms", "Startup time"], ["rebuffer_ratio", "Share of rebuffering"], ["average_bitrate_bps", "Bitrate"],
  ["play_ms", "Time played"],
];

/** The page that compares. */
export async function comparisonPage(data) {
  const { now, before, differences } = await data.overview();
  if (!before) {
    return emptyState("Nothing to compare", "tally-replay report --compare BEFORE NOW -o FILE puts two sets side by side.");
  }
  const sides = [["Before", before], ["Now", now]];
  const matter = differences.filter((one) => one.matters);
  const columns = [
    { title: "Metric", text: (one) => title(one.name, [now, before]) },
    { title: "Before", number: true, text: (one) => formatOf(now, one.name)(one.before) },
    { title: "Now", number: true, text: (one) => formatOf(now, one.name)(one.after) },
    { title: "Change", number: true, text: change },
    { title: "Deviations", number: true, wide: true, text: (one) => rounded(one.deviations, 2) },
    { title: "Verdict", node: verdict },
  ];
  const trackers = [...new Set(sides.flatMap(([, set]) => set.trackers.map((tracker) => tracker.instance)))];
  const said = (set, instance) => set.trackers.find((tracker) => tracker.instance === instance);
  const rate = (set, instance, member) => {
    const sessions = set.metrics.total.headline.sessions;
    return said(set, instance) && sessions ? rounded(said(set, instance)[member] / sessions) : none;
  };
  return [
    element("p", { class: "note" }, sides.map(([name, { metrics, archives }]) =>
      `${name}: ${counted(metrics.total.headline.sessions, "session")} of `
      + `${archives.length === 1 ? archives[0] : `${count(archives.length)} archives`}. `)),
    element("section", {}, element("h2", {}, "Differences that matter"), matter.length
      ? table("Differences that matter", columns, matter, { hiddenCaption: true })
      : noneMatters(differences, before, now)),
    element("section", { class: "grid" },
      shown.map(([name, text]) => bothDistributions(now, before, name, text))),
    element("section", {}, element("h2", {}, "All that was compared"),
      table("All that was compared", columns, differences, { hiddenCaption: true }),
      element("p", { class: "note" },
        "A difference matters when it is at least three standard errors and 2 % of the value before, with 20 sessions "
        + "on each side.")),
    trackers.length > 0 && element("section", {}, element("h2", {}, "Trackers"), table("What trackers said, a session", [
      { title: "Tracker", text: (instance) => instance },
      ...sides.flatMap(([name, set]) => [
        { title: `Version ${name.toLowerCase()}`, text: (instance) => said(set, instance)?.version ?? none },
        { title: `Records ${name.toLowerCase()}`, number: true, text: (instance) => rate(set, instance, "records") },
        { title: `Beacons ${name.toLowerCase()}`, number: true, text: (instance) => rate(set, instance, "beacons") },
      ]),
    ], trackers, { hiddenCaption: true })),
  ];
}

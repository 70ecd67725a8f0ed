// Quality of service: startup, rebuffering, bitrate and errors, by rendition, by time and by what else is known.
import { element, emptyState, table } from "./elements.js";
import { bitrate, count, counted, duration, errorName, share, words } from "./format.js";
import { groupsOf } from "./data.js";
import { chartFigure } from "./charts.js";
import { byPlays, distributionChart, distributionCharts, groupColumns, overTime } from "./overview.js";

/** Dimensions that have a place of their own. */
const ownPlace = new Set(["video_id", "rendition", "loaded_day", "loaded_hour", "loaded_minute"]);

function renditions(set, total) {
  const times = total.renditions_time;
  const groups = byPlays(groupsOf(set, "rendition"));
  if (!times.length && !groups.length) return emptyState("No renditions", "No player has said which bitrate it plays.");
  const name = ({ bitrate_bps: rate, height }) =>
    rate === null ? "Others" : (height ? `${height}p, ` : "") + bitrate(rate);
  return [
    times.length > 0 && chartFigure({
      title: "Time played by rendition", horizontal: true, height: 70 + 30 * times.length,
      labels: times.map(name), labelTitle: "Rendition", valueTitle: "Time",
      series: [{ name: "Time played", values: times.map((one) => one.play_ms), format: duration }],
    }),
    groups.length > 0 && table("Sessions by the rendition that they played longest", [
      { title: "Rendition", text: (group) => group.value }, ...groupColumns,
      { title: "With errors", number: true, text: (group) => share(group.headline.error_share) },
    ], groups),
  ];
}

function errors(set, total) {
  const codes = Object.entries(total.errors_by_code).sort((one, other) => other[1] - one[1]);
  if (!codes.length) return emptyState("No errors", "No player has met an error.");
  const shown = codes.slice(0, 20);
  return [
    chartFigure({
      title: "Errors by code", horizontal: true, height: 70 + 28 * shown.length,
      note: `${counted(total.metrics.errors.sum, "error")} in ${share(total.headline.error_share)} of the attempts.`,
      labels: shown.map(([code]) => errorName(code, set.errors[code])), labelTitle: "Error", valueTitle: "Errors",
      ticks: shown.map(([code]) => shortened(errorName(code, set.errors[code]))),
      series: [{ name: "Errors", values: shown.map(([, number]) => number), colour: "series-2" }],
    }),
    codes.length > shown.length
      && element("p", { class: "note" }, `${codes.length - shown.length} more codes are in --json.`),
  ];
}

/** What an axis has room for; the table below has all of it. */
function shortened(text) {
  const limit = matchMedia("(max-width: 700px)").matches ? 16 : 36;
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** The page of the quality of service. */
export async function qualityPage(data) {
  const { now: set } = await data.overview();
  const { total } = set.metrics;
  if (total.headline.plays === 0) return emptyState("No plays", "Nothing was played, so there is no quality to tell of.");
  const others = Object.entries(set.metrics.groups)
    .filter(([dimension, { groups }]) => !ownPlace.has(dimension) && groups.length > 0);
  const latency = distributionChart(set, total, {
    name: "live_latency_ms", title: "Live latency",
    note: "How far what is shown lies behind the moment that it was made for.",
  });
  return [
    element("section", {}, element("h2", {}, "Distributions"), distributionCharts(set, total), latency),
    overTime(set),
    element("section", {}, element("h2", {}, "Renditions"), renditions(set, total)),
    element("section", {}, element("h2", {}, "Errors"), errors(set, total)),
    others.map(([dimension, { groups, left_out: leftOut }]) => element("section", {},
      element("h2", {}, words(dimension)),
      table(`By ${words(dimension).toLowerCase()}`, [
        { title: words(dimension), text: (group) => group.value }, ...groupColumns,
      ], byPlays(groups).slice(0, 50), { hiddenCaption: true }),
      leftOut + Math.max(groups.length - 50, 0) > 0 && element("p", { class: "note" },
        `${count(leftOut + Math.max(groups.length - 50, 0))} more groups with fewer plays are in --json.`))),
  ];
}

// The list of assets, and the page of one with the minute by minute course of its audience.
import { element, emptyState, pageLink, pagePath, table } from "./elements.js";
import { count, duration, share } from "./format.js";
import { groupsOf } from "./data.js";
import { chartFigure } from "./charts.js";
import { byPlays, distributionCharts, groupColumns, headlineCards } from "./overview.js";

/** The page with all assets. */
export async function assetsPage(data) {
  const { now: set } = await data.overview();
  const groups = byPlays(groupsOf(set, "video_id"));
  if (!groups.length) {
    return emptyState("No assets",
      `No session${data.isLive ? " that ended" : ""} has said which asset it plays (video_id).`);
  }
  const leftOut = set.metrics.groups.video_id.left_out;
  const frame = element("div", {});
  const show = (text) => {
    const found = groups.filter((group) =>
      `${set.titles[group.value] ?? ""}\n${group.value}`.toLowerCase().includes(text));
    frame.replaceChildren(found.length ? table(`${count(found.length)} of ${count(groups.length)} assets`, [
      { title: "Asset", node: (group) => [
        pageLink(pagePath("asset", group.value), set.titles[group.value] ?? group.value),
        set.titles[group.value] && element("span", { class: "id" }, group.value),
      ] },
      ...groupColumns,
    ], found) : emptyState("No asset fits", "Another text may find some."));
  };
  show("");
  return [
    element("p", { class: "filters" }, element("label", {}, "Search ", element("input", {
      type: "search", placeholder: "Title or id", oninput: (event) => show(event.target.value.trim().toLowerCase()),
    }))),
    frame,
    leftOut > 0
      && element("p", { class: "note" }, `${count(leftOut)} more assets with fewer plays are counted and not listed.`),
  ];
}

/** What happened in each minute of an asset, without gaps: metrics and course have the minutes where something did. */
function minutesOf(group, course) {
  const watched = new Map((group.minutes ?? []).map(([minute, ...numbers]) => [minute, numbers]));
  const moved = new Map((course ?? []).map(([minute, ...numbers]) => [minute, numbers]));
  const last = Math.max(...watched.keys(), ...moved.keys(), -1);
  return Array.from({ length: last + 1 }, (_, minute) => {
    const [seen = 0, replayed = 0, skipped = 0, left = 0] = watched.get(minute) ?? [];
    const [seeksIn = 0, seeksOut = 0, adBreaks = 0] = moved.get(minute) ?? [];
    return { minute, seen, replayed, skipped, left, seeksIn, seeksOut, adBreaks };
  });
}

/** The page of one asset. */
export async function assetPage(data, [id]) {
  const { now: set } = await data.overview();
  const group = groupsOf(set, "video_id").find((one) => one.value === id);
  if (!group) {
    return emptyState("There is no such asset", data.isLive ? "No session of it has ended in the time that is kept."
      : "It is not among those of this report that are listed.");
  }
  const minutes = minutesOf(group, set.courses[id]);
  const labels = minutes.map(({ minute }) => String(minute));
  const plays = Math.max(group.headline.plays, 1);
  const breaks = minutes.filter((one) => one.adBreaks > 0);
  const breakMinutes = breaks.slice(0, 12).map((one) => one.minute).join(", ") + (breaks.length > 12 ? " and more" : "");
  const course = minutes.length ? [
    chartFigure({
      title: "Audience left, minute by minute", kind: "line", height: 320, labels, labelTitle: "Minute of the content",
      note: "Of the plays that started, the share that played any part of the minute."
        + (breaks.length ? ` Ad breaks lie in minute ${breakMinutes}.` : ""),
      valueTitle: "Audience", largest: 1,
      series: [
        { name: "Audience", values: minutes.map((one) => one.seen / plays), format: share, fill: "origin" },
        ...(breaks.length ? [{
          name: "Ad breaks", kind: "bar", colour: "series-2", axis: "second",
          values: minutes.map((one) => one.adBreaks || null), format: count,
        }] : []),
      ],
    }),
    chartFigure({
      title: "Left, skipped, seen again", labels, labelTitle: "Minute of the content", valueTitle: "Sessions",
      series: [
        { name: "Left here", values: minutes.map((one) => one.left) },
        { name: "Skipped", values: minutes.map((one) => one.skipped) },
        { name: "Seen again", values: minutes.map((one) => one.replayed) },
      ],
    }),
    chartFigure({
      title: "Seeks", labels, labelTitle: "Minute of the content", valueTitle: "Seeks",
      note: "Into the minute, from another one, and out of it.",
      series: [
        { name: "In", values: minutes.map((one) => one.seeksIn) },
        { name: "Out", values: minutes.map((one) => one.seeksOut) },
      ],
    }),
  ] : [emptyState("Nothing was played", "No part of this asset was played, so there is no course of its audience.")];
  const headline = group.headline;
  return [
    element("p", { class: "note" }, "Asset ", element("code", {}, id), ". ",
      pageLink(`/sessions?asset=${encodeURIComponent(id)}`, `Its ${count(headline.sessions)} sessions`)),
    headlineCards(group),
    element("section", {}, element("h2", {}, "Audience"), course[0],
      course.length > 1 && element("div", { class: "grid" }, course.slice(1))),
    element("section", {}, element("h2", {}, "Advertising"), table("Ads of this asset", [
      { title: "What", text: ([name]) => name }, { title: "Number", number: true, text: ([, value]) => value },
    ], [
      ["Ad breaks", count(group.metrics.ad_breaks.sum)], ["Ads asked for", count(group.metrics.ads_asked.sum)],
      ["Ads that began", count(group.metrics.ads.sum)], ["Ads to their end", count(group.metrics.ads_completed.sum)],
      ["Ads skipped", count(group.metrics.ads_skipped.sum)], ["Ad errors", count(group.metrics.ad_errors.sum)],
      ["Time in ads", duration(group.metrics.ad_ms.sum)],
    ], { hiddenCaption: true })),
    element("section", {}, element("h2", {}, "Distributions"), distributionCharts(set, group)),
  ];
}

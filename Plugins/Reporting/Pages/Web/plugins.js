// What the trackers and reporters of the program are and did, as its host says, and what came of them here.
import { element, emptyState, table } from "./elements.js";
import { bytes, count, counted, none, rounded, words } from "./format.js";

const tones = { enabled: "good", loaded: "plain", disabled: "plain", discovered: "plain", retired: "plain" };

function state(plugin) {
  return [
    element("span", { class: `badge ${tones[plugin.state] ?? "bad"}` }, words(plugin.state)),
    plugin.reason && element("span", { class: "id" }, plugin.reason),
  ];
}

const naming = [
  { title: "Name", node: (plugin) => [plugin.name, element("span", { class: "id" }, `${plugin.plugin} ${plugin.version}`)] },
  { title: "State", node: state },
];

function microseconds(value) {
  if (value === undefined || value === null) return none;
  return value >= 1000 ? `${rounded(value / 1000)} ms` : `${rounded(value)} µs`;
}

/** What went wrong with a tracker, in words; most never say any of it. */
function troubles(plugin) {
  const found = ["errors", "refused", "lost", "withheld", "repaired_texts"].filter((name) => plugin[name] > 0)
    .map((name) => `${count(plugin[name])} ${words(name).toLowerCase()}`);
  if (plugin.calls?.over_budget > 0) found.push(`${count(plugin.calls.over_budget)} calls over budget`);
  return found.length ? found.join(", ") : "none";
}

const number = (title, text, wide = false) => ({ title, number: true, wide, text });

function trackerTable(plugins) {
  return table("Trackers", [
    ...naming,
    number("Events", (plugin) => count(plugin.events)), number("Records", (plugin) => count(plugin.records)),
    number("Beacons", (plugin) => count(plugin.beacons)),
    number("A call", (plugin) => microseconds(plugin.calls?.mean_us)),
    number("999 of 1000 within", (plugin) => microseconds(plugin.calls?.p999_us), true),
    number("Longest", (plugin) => microseconds(plugin.calls?.longest_us), true),
    { title: "Trouble", text: troubles },
  ], plugins, { hiddenCaption: true });
}

function reporterTable(plugins) {
  return table("Reporters", [
    ...naming,
    number("Outputs taken", (plugin) => count(plugin.taken)),
    number("Waiting", (plugin) => bytes(plugin.queued_bytes)),
    number("Lost", (plugin) => count(plugin.lost)),
    { title: "Lost of", wide: true, text: (plugin) => (plugin.lost_of ?? [])
      .map((one) => `${one.name || "the player"} ${count(one.lost)}`).join(", ") || none },
    number("Errors", (plugin) => count(plugin.errors)),
  ], plugins, { hiddenCaption: true });
}

function text(value) {
  if (value === null || value === undefined) return none;
  if (typeof value === "number") return count(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** What a reporter says of itself: single values, and a table for each member that has objects by name. */
function answerParts(plugin) {
  const members = Object.entries(plugin.answer ?? {}).filter(([, value]) => !isObject(value) || Object.keys(value).length);
  const isTable = ([, value]) => isObject(value) && Object.values(value).some(isObject);
  const facts = members.filter((member) => !isTable(member));
  return element("section", {}, element("h2", {}, plugin.name),
    element("dl", { class: "facts" }, facts.map(([name, value]) =>
      element("div", {}, element("dt", {}, words(name)), element("dd", {}, name === "bytes" ? bytes(value) : text(value))))),
    members.filter(isTable).map(([name, value]) => {
      const rows = Object.entries(value);
      const keys = [...new Set(rows.flatMap(([, cells]) => Object.keys(cells)))];
      return table(words(name), [
        { title: "Name", text: ([row]) => row },
        ...keys.map((key) => ({
          title: words(key), number: rows.every(([, cells]) => typeof (cells[key] ?? 0) === "number"),
          text: ([, cells]) => text(cells[key]),
        })),
      ], rows);
    }));
}

/** Where the host does not say what its plugins did: what came of them. */
function heard(trackers) {
  return [
    element("p", { class: "note" }, "The program that the dashboard runs in does not say what its plugins did: a reporter "
      + "in a process of its own hears nothing of it. This is what came here."),
    trackers.length ? table("What trackers said", [
      { title: "Name", node: (one) => [one.instance, element("span", { class: "id" }, `${one.plugin} ${one.version}`)] },
      number("Records", (one) => count(one.records)), number("Beacons", (one) => count(one.beacons)),
      number("In beacons", (one) => bytes(one.beacon_bytes)),
    ], trackers) : emptyState("No tracker has said anything", "Records and beacons are counted as they come."),
  ];
}

/** The page on trackers and reporters. */
export async function pluginsPage(data) {
  const { host, trackers, dashboard } = await data.plugins();
  const all = host?.plugins ?? [];
  const of = (kind) => all.filter((plugin) => plugin.kind === kind && (plugin.state !== "loaded"));
  // Of one that is not at work the host counts nothing; what came of trackers is counted here too.
  const said = new Map(trackers.map((one) => [one.instance, one]));
  const working = of("tracker").map((plugin) => ({ records: said.get(plugin.name)?.records,
    beacons: said.get(plugin.name)?.beacons, ...plugin }));
  const rest = all.filter((plugin) => plugin.state === "loaded" || !plugin.kind);
  return [
    !host && heard(trackers),
    host && element("section", {}, element("h2", {}, "Trackers"), working.length ? trackerTable(working)
      : emptyState("No trackers", "None is configured.")),
    host && element("section", {}, element("h2", {}, "Reporters"), reporterTable(of("reporter"))),
    of("reporter").filter((plugin) => plugin.answer).map(answerParts),
    rest.length > 0 && element("section", {}, element("h2", {}, "Not configured"), table("Plugins without an instance", [
      ...naming, { title: "Kind", text: (plugin) => words(plugin.kind) },
      { title: "File", wide: true, node: (plugin) => element("span", { class: "value" }, plugin.file) },
    ], rest, { hiddenCaption: true })),
    !host && element("p", { class: "note" }, `${counted(dashboard.browsers, "browser")} looking on; `
      + `${count(dashboard.refused)} requests were refused, ${count(dashboard.dropped)} browsers were dropped because `
      + "they did not read."),
  ];
}

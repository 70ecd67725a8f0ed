// Numbers and times as people read them. Durations are ms, bitrates bit/s, shares 0 to 1.

/** What stands for a value that there is not. */
export const none = "–";

const whole = new Intl.NumberFormat("en");

/** Whether times are shown in UTC and not in the viewer's zone. */
let usesUTC = false;

/** Chooses the zone of all times that are made from now on. */
export function useUTC(isUTC) {
  usesUTC = isUTC;
}

function isMissing(value) {
  return value === null || value === undefined || Number.isNaN(value);
}

/** A number with so many significant digits, and no zeros behind the point. */
export function rounded(value, digits = 3) {
  if (isMissing(value)) return none;
  return Math.abs(value) >= 1000 ? whole.format(Math.round(value)) : String(Number(value.toPrecision(digits)));
}

/** A count. */
export function count(value) {
  return isMissing(value) ? none : Number.isInteger(value) ? whole.format(value) : rounded(value);
}

/** A count with its noun. */
export function counted(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** A share as a percentage. */
export function share(value) {
  return isMissing(value) ? none : `${rounded(value * 100)} %`;
}

/** A duration, from milliseconds to days. */
export function duration(ms) {
  if (isMissing(ms)) return none;
  if (Math.abs(ms) < 1000) return `${rounded(ms)} ms`;
  if (ms < 60_000) return `${rounded(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const pad = (number) => String(number).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
  return `${count(Math.round(minutes / 60))} h`;
}

/** A place on an axis of time, as minutes and seconds. */
export function clock(ms, withMilliseconds = false) {
  if (isMissing(ms)) return none;
  const sign = ms < 0 ? "-" : "";
  const all = Math.abs(ms);
  const pad = (number) => String(Math.floor(number)).padStart(2, "0");
  const hours = Math.floor(all / 3_600_000);
  const minutes = hours ? `${hours}:${pad(all / 60_000 % 60)}` : Math.floor(all / 60_000);
  const text = `${minutes}:${pad(all / 1000 % 60)}`;
  return sign + text + (withMilliseconds ? "." + String(Math.floor(all % 1000)).padStart(3, "0") : "");
}

/** A bitrate. */
export function bitrate(bps) {
  if (isMissing(bps)) return none;
  if (bps >= 1e6) return `${rounded(bps / 1e6)} Mbit/s`;
  return bps >= 1e3 ? `${rounded(bps / 1e3)} kbit/s` : `${rounded(bps)} bit/s`;
}

/** A number of bytes. */
export function bytes(value) {
  if (isMissing(value)) return none;
  if (value >= 1e6) return `${rounded(value / 1e6)} MB`;
  return value >= 1e3 ? `${rounded(value / 1e3)} kB` : `${value} B`;
}

/** A moment, ms since 1970, as the date and time of the chosen zone. */
export function moment(ms, { seconds = true, day = true } = {}) {
  if (isMissing(ms)) return none;
  const options = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: usesUTC ? "UTC" : undefined };
  if (day) Object.assign(options, { year: "numeric", month: "short", day: "numeric" });
  if (seconds) options.second = "2-digit";
  return new Intl.DateTimeFormat("en-GB", options).format(new Date(ms)) + (usesUTC ? " UTC" : "");
}

/** The same moment in UTC, for a title beside it. */
export function momentUTC(ms) {
  return isMissing(ms) ? "" : new Date(ms).toISOString();
}

/** How figures of a unit are told; units are those of the model. */
export const byUnit = {
  ms: duration,
  "bit/s": bitrate,
  "0 to 1": share,
  "true or false": share,
  count,
};

const endWords = {
  completed: "Completed",
  left: "Left",
  exited_before_start: "Left before start",
  start_failed: "Failed to start",
  playback_failed: "Failed",
  not_attempted: "Not played",
  replaced: "Replaced by another",
  run_ended: "Player ended",
  open: "Goes on",
  silence: "Fell silent",
};

/** How a session ended, in words. */
export function ending(reason) {
  return endWords[reason] ?? words(reason);
}

/** Whether a session that ended so is one that failed, left early, or neither. */
export function endingTone(reason) {
  if (reason === "start_failed" || reason === "playback_failed") return "bad";
  if (reason === "exited_before_start") return "warn";
  return reason === "completed" ? "good" : "plain";
}

/** An error as people read it: its code, what the player said of it, and whose code it is. */
export function errorName(code, { message, id, domain } = {}) {
  const origin = [domain, String(id ?? "") === String(code) ? null : id].filter(Boolean).join(", ");
  return `${code}${message ? `: ${message}` : ""}${origin ? ` (${origin})` : ""}`;
}

/** A name of the model as words. */
export function words(name) {
  const text = String(name ?? "").replace(/_(ms|bps)$/, "").replaceAll("_", " ")
    .replace(/\b(cdn|id)\b/g, (one) => one.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// What keeps the page safe from this script, and the collector from what a page may hand over.

let hasWarned;

/** Says in the console what is wrong: the first time alone, so that a page's console stays readable. */
export function warn(problem) {
  // True, whatever the console returns.
  hasWarned ||= [console.warn("tally:", problem)];
}

/** The same function, but what it throws does not reach the page. */
export const guarded = (act) => (...values) => {
  try {
    return act(...values);
  } catch (problem) {
    warn(problem);
  }
};

/** The number without fraction; undefined when it is none. */
export const rounded = (number) => (isFinite(number) ? Math.round(number) : undefined);

/** Seconds, or what else has thousandths, in these. */
export const thousandths = (number) => rounded(number * 1000);

/** An address without what may hold tokens and names: no query, no fragment, nothing of a blob or of data. */
export const plainAddress = (text) => (/^(blob|data):|^$/.test(text ?? "") ? undefined : text.replace(/[?#].*/, ""));

/** Attributes of what is said in the subject's own words: `name` of an ad is `ad_name`. Others are attributes already. */
export const named = (subject, words, own = /^/) =>
  Object.fromEntries(
    Object.entries({ ...words }).map(([word, value]) => [own.test(word) ? subject + "_" + word : word, value]),
  );

/** A value as archives write it: an object in an attribute is its JSON. */
export const plainValue = (name, value) =>
  name && Object(value) === value && !Array.isArray(value) ? JSON.stringify(value) : value;

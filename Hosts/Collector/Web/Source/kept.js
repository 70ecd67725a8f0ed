// Calls that the collector does not have yet, in the page's storage: the next page of the site sends them.

import { guarded } from "./guard.js";

const PREFIX = "tally ";
/** How many runs are kept at most: the oldest make room. */
const MOST_RUNS = 5;

/** The names under which runs are kept, oldest first. */
const keptNames = () => Object.keys(localStorage).filter((each) => each.startsWith(PREFIX)).sort();

/** The name under which a run that begins is kept. */
export const keptName = (runId) => PREFIX + Date.now() + runId;

/** Keeps text under a name in place of what was there; without text, nothing. A page may have no storage. */
export const keep = guarded((itsName, text) => {
  delete localStorage[itsName];
  if (text) localStorage[itsName] = text;
  for (const each of keptNames().slice(0, -MOST_RUNS)) delete localStorage[each];
});

/** The runs that are kept, oldest first, each as its name and text. */
export const keptRuns = guarded(() => keptNames().map((each) => [each, localStorage[each]]));

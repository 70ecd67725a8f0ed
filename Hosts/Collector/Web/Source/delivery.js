// How a run's calls get to the collector: in batches, again and again until they are safe there.

import { warn } from "./guard.js";
import { keep, keptName, keptRuns } from "./kept.js";

/** A body that a browser still sends when its page is gone is at most 64 KiB long: so many characters never are more. */
const BATCH = 2e4;
/** How much waits at most, characters; from the half on, samples of the playhead are refused. */
const MOST_WAITING = 3e5;
/** No line may be longer, characters. */
const LONGEST_LINE = 15e3;
/** Pause after failures, s. */
const LONGEST_PAUSE = 60;

/** The queue of one run. `now` is the run's time, us; a run that is sent again has its lines. */
export function runDelivery({ to, key, every = 10 }, runId, now, itsName = keptName(runId), first = 1, kept) {
  const lines = kept ?? [];
  let waiting = lines.join("").length;
  let refused = {};
  let dropped = 0;
  let failures = 0;
  let isClosed = kept;
  let isKept = isClosed;
  let isBusy;
  let isUrgent;
  let timer;
  const queue = { enqueue, send, isOver: false };

  const after = (seconds) => {
    clearTimeout(timer);
    if (!queue.isOver) timer = setTimeout(send, seconds * 1000);
  };

  /** Keeps what waits in the page's storage, or removes it there. */
  const keepWaiting = () => {
    const head = { to, key, run: runId, first, us: now(), wall: Date.now() };
    isKept = lines.length;
    keep(itsName, isKept && [JSON.stringify(head), ...lines].join("\n"));
  };

  /** Forgets the lines up to this number. */
  const drop = (safe) => {
    const gone = lines.splice(0, Math.max(0, safe - first + 1));
    first += gone.length;
    waiting -= gone.join("").length;
    if (isKept) keepWaiting();
  };

  const end = () => {
    queue.isOver = true;
    drop(Infinity);
  };

  /** Adds a line, unless the queue is too full for it: the next one that gets in says how many did not. */
  function enqueue(line, isNow) {
    if (queue.isOver || isClosed) return;
    const { event } = line;
    const whole = { n: first + lines.length, ...line };
    if (line.end) whole.dropped = dropped;
    else if (dropped) whole.attributes = { ...line.attributes, ...refused };
    const asText = JSON.stringify(whole);
    const most = event == "playhead_sample" ? MOST_WAITING / 2 : MOST_WAITING;
    if (!line.end && (waiting > most || asText.length > LONGEST_LINE)) {
      const count = /ad_s/.test(event) ? "gap_samples" : "gap_events";
      refused[count] = (refused[count] ?? 0) + 1;
      dropped++;
      return;
    }
    refused = {};
    lines.push(asText);
    waiting += asText.length;
    isClosed = line.end;
    if (isNow && !failures) after(0);
  }

  /** Sends a batch; as the page goes, in any case, and so that the browser goes on with it. */
  async function send(isLeaving) {
    isUrgent = isBusy;
    if ((isBusy && !isLeaving) || queue.isOver) return;
    let body = `{"sent_us":${now()},"wall_us":${Date.now()}000,"form":1}\n`;
    let count = 0;
    let wait = 0;
    while (count < lines.length && body.length + lines[count].length < BATCH) body += lines[count++] + "\n";
    isUrgent = count < lines.length;
    if (isLeaving) keepWaiting();
    if (count) {
      isBusy = true;
      try {
        const address = `${to}/runs/${runId}?key=${encodeURIComponent(key)}`;
        const answer = await fetch(address, { method: "POST", body, credentials: "omit", keepalive: isLeaving });
        const { status } = answer;
        wait = answer.headers.get("Retry-After");
        if (answer.ok) {
          const { safe, ended } = await answer.json();
          // To take nothing of a batch is no success.
          failures = safe >= first ? 0 : failures + 1;
          drop(safe);
          if (ended) end();
        } else if (/^4(?!08|29)/.test(status)) {
          // The run is over with 410; else nothing more of this page is wanted.
          queue.isRefused = status != 410;
          if (queue.isRefused) warn(`${to} answers ${status}: nothing is sent`);
          end();
        } else throw status;
      } catch {
        failures++;
        keepWaiting();
      }
      isBusy = false;
    }
    if (isClosed && !lines.length) end();
    const pause = (Math.min(LONGEST_PAUSE, 2 ** failures) * (1 + Math.random())) / 2;
    after(failures ? Math.max(pause, +wait || 0) : isUrgent || isClosed ? 0 : every);
  }

  addEventListener("online", () => after(0));
  after(isClosed ? 0 : every);
  return queue;
}

let hasResumed;

/** Sends what pages before this one have left for the same collector. */
export function sendKept(to) {
  if (hasResumed) return;
  hasResumed = true;
  for (const [itsName, kept] of keptRuns() ?? []) {
    const [head, ...lines] = kept.split("\n");
    const { us, wall, ...was } = JSON.parse(head);
    const now = () => us + (Date.now() - wall) * 1000;
    if (was.to == to) runDelivery(was, was.run, now, itsName, was.first, lines);
  }
}

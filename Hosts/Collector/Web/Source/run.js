// A run: its clock, its queue, and the one way in which a call gets from the one to the other.

import { runClock } from "./clock.js";
import { runDelivery } from "./delivery.js";
import { plainValue } from "./guard.js";

/** Calls that do not wait for the next batch. */
const URGENT = /^video_load|_error$/;
/** A page that stands still for less is not asleep, us. */
const SHORTEST_HALT = 5e5;

/** The runs of a player, one after the other: a new one begins where the collector has ended the one before. */
export function playerRun(options) {
  let consent = navigator.globalPrivacyControl ? "out" : options.consent;
  let clock;
  let queue;
  let halted;

  const suspended = (began, length) => {
    queue.enqueue({ t_us: began, event: "system_suspended", attributes: { step_us: length } });
  };

  const run = {
    get now() {
      return clock.now();
    },

    /** Makes sure that there is a run for a session that begins. */
    renew() {
      if (queue?.isRefused || queue?.isOver === false) return;
      const random = crypto.getRandomValues(new Uint8Array(20));
      run.id = (!queue && options.run) || Array.from(random, (byte) => (byte % 36).toString(36)).join("");
      clock = runClock();
      queue = runDelivery(options, run.id, clock.now);
      if (consent) run.report("consent", { consent_scope: "all", consent_state: consent });
    },

    /** Adds a call. */
    report(event, attributes, state) {
      run.look();
      if (event == "consent" && attributes.consent_scope == "all") consent = attributes.consent_state;
      const plain = attributes && JSON.parse(JSON.stringify(attributes, plainValue));
      queue.enqueue({ t_us: run.now, event, state, attributes: plain }, URGENT.test(event));
      if (halted) halted = run.now;
    },

    /** Looks for a sleep of the machine, and says it. */
    look() {
      if (halted) return;
      const [began, length] = clock.look();
      if (length) suspended(began, length);
    },

    /** The page stands still from now on: it is frozen, or may come back with the browser's history. */
    halt() {
      run.look();
      halted ||= run.now;
    },

    /** The page goes on. In between nothing was played, as in a sleep. */
    resume() {
      if (!halted) return;
      clock.look();
      const length = run.now - halted;
      if (length > SHORTEST_HALT) suspended(halted, length);
      halted = 0;
    },

    /** Hands all that waits to the browser. */
    leave() {
      queue.send(true);
    },

    /** Ends the run: nothing can follow. */
    end() {
      run.look();
      queue.enqueue({ t_us: run.now, end: "drained" }, true);
    },
  };
  run.renew();
  return run;
}

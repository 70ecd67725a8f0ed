// What a page calls.

import { advertising } from "./advertising.js";
import { sendKept } from "./delivery.js";
import { guarded } from "./guard.js";
import { followPage } from "./page.js";
import { followElement } from "./playback.js";
import { adapted, followRequests } from "./players.js";
import { playerRun } from "./run.js";

/** Follows the element, and returns what the page may call. */
function follow(video, options) {
  guarded(sendKept)(options.to);
  const run = playerRun(options);
  const playback = followElement(video, run, options);
  const player = adapted(options.player, playback);
  const destroy = () => {
    playback.end();
    run.end();
    run.leave();
    unfollow();
  };
  const unfollow = followPage(playback, run, destroy);
  followRequests(playback);
  playback.begin(player);
  return {
    run: () => run.id,
    track: playback.report,
    consent: (consent_scope, consent_state) => playback.report("consent", { consent_scope, consent_state }),
    custom: (custom_name, attributes) => playback.report("custom", { custom_name, ...attributes }),
    load: playback.load,
    destroy,
    ...advertising(playback),
  };
}

/**
 * Follows a media element, and sends what happens to a collector.
 *
 * The same calls are there when nothing is sent: this page is not in the sample, its viewer has opted out, or something is
 * wrong, of which the console says what.
 */
const attach = (video, options) => {
  const isOut = navigator.globalPrivacyControl && options.privacyControl == "none";
  const calls = !isOut && Math.random() < (options.sample ?? 1) && guarded(follow)(video, options);
  // What is awaited is asked for `then`.
  const find = (_, call) => (call == "then" ? undefined : guarded(calls ? calls[call] : () => {}));
  return new Proxy({}, { get: find });
};

export const Tally = { attach };

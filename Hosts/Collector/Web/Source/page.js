// The page around the player: hidden, frozen, left, and back again.

import { guarded } from "./guard.js";

/** Follows the page for a run; `leave` is called when it is left for good. */
export function followPage(playback, run, leave) {
  const look = () => {
    playback.report("application_" + (document.hidden ? "background" : "foreground"));
    if (document.hidden) run.leave();
  };
  if (document.hidden) look();
  playback.listen(document, "visibilitychange", look);
  playback.listen(window, "pagehide", ({ persisted }) => {
    // What may come back has neither ended its session nor its run.
    if (!persisted) return leave();
    run.halt();
    run.leave();
  });
  playback.listen(document, "freeze", run.halt);
  playback.listen(document, "resume", run.resume);
  playback.listen(window, "pageshow", run.resume);
  const timer = setInterval(guarded(run.look), 1000);
  return () => clearInterval(timer);
}

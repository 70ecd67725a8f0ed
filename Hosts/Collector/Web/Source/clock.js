// A run's time.
import { thousandths } from "./guard.js";


/** A sleep is told from a clock that was set a little by its length, ms. */
const SHORTEST_SLEEP = 2000;

/** Microseconds since a run's start, which never fall and go on while the machine sleeps. */
export function runClock() {
  const skewNow = () => Date.now() - performance.now();
  let origin = performance.now();
  let skewBefore = skewNow();
  let latest = 0;
  const now = () => (latest = Math.max(latest, thousandths(performance.now() - origin)));
  /**
   * Looks whether the machine has slept since the last look: the page's clock stands still then and the wall clock goes
   * on. The run's time goes on by it. Returns when it began, as well as is known, and how long it lasted, us.
   */
  const look = () => {
    const began = latest;
    const gap = skewNow() - skewBefore;
    skewBefore += gap;
    const isSleep = gap > SHORTEST_SLEEP;
    if (isSleep) origin -= gap;
    now();
    return [began, isSleep && thousandths(gap)];
  };
  return { now, look };
}

import type { Logger } from 'pino';

/** npm passes on the Ctrl-C that the terminal has sent us already: within this time it is the same one. */
const SAME_SIGNAL_MS = 1000;
/** Every part stops sooner by itself, unless somebody else holds what a request or a removal waits for. */
const STOP_MS = 9000;

/** A signal to stop the process has come. */
export interface Stop {
  /** Resolves when the time is over in which requests are still accepted. */
  readonly drained: Promise<void>;
  /** The process has stopped in time. */
  readonly done: () => void;
}

/**
 * Resolves at the first SIGTERM or SIGINT. The process drains for so many seconds, if any, and then has 9 seconds to stop,
 * also while it starts: a start may wait without end, for a lock that somebody holds. A signal that comes later ends the
 * drain, and one after that the process.
 */
export function stopSignal(log: Logger, drainSeconds: (signal: NodeJS.Signals) => number): Promise<Stop> {
  return new Promise((resolve) => {
    const { promise: drained, resolve: endDrain } = Promise.withResolvers<void>();
    let state: 'serving' | 'draining' | 'stopping' = 'serving';
    let changedAt = -Infinity;
    let timer: NodeJS.Timeout | undefined;
    const change = (to: typeof state) => {
      state = to;
      changedAt = performance.now();
      clearTimeout(timer);
    };
    const stop = () => {
      change('stopping');
      endDrain();
      timer = setTimeout(() => {
        log.error('something did not stop in time: the process ends without it');
        process.exit(1);
      }, STOP_MS);
      // A start that fails after the signal ends the process by itself.
      timer.unref();
    };
    const onSignal = (signal: NodeJS.Signals) => {
      if (performance.now() - changedAt <= SAME_SIGNAL_MS) return;
      if (state === 'stopping') process.exit(1);
      const seconds = state === 'serving' ? drainSeconds(signal) : 0;
      if (seconds === 0) {
        log.info({ signal }, 'stopping: running requests and frames are finished first');
        stop();
      } else {
        log.info({ signal, seconds }, 'draining: not ready any more, but requests are still accepted');
        change('draining');
        timer = setTimeout(stop, seconds * 1000);
      }
      resolve({ drained, done: () => clearTimeout(timer) });
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}

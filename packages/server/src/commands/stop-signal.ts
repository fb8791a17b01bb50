import type { Logger } from 'pino';

/** npm forwards the Ctrl-C that the terminal has already sent: a signal within this time is the same one. */
const SAME_SIGNAL_MS = 1000;
/** Every part has a shorter limit of its own, but a request or a removal may wait for a lock of another session. */
const STOP_MS = 9000;

/** A shutdown in progress. */
export interface Stop {
  /** Resolves at the end of the drain. */
  readonly drained: Promise<void>;
  /** Call it when the process has stopped, to cancel the time limit. */
  readonly done: () => void;
}

/**
 * Resolves at the first SIGTERM or SIGINT. The process drains for `drainSeconds(signal)` and then has 9 seconds to stop,
 * during startup as well, because a start may wait for a lock for any time. A second signal ends the drain, and one after
 * that ends the process.
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
        log.error('shutdown did not complete in time: exiting');
        process.exit(1);
      }, STOP_MS);
      // A start that fails after the signal must not be kept waiting by this timer.
      timer.unref();
    };
    const onSignal = (signal: NodeJS.Signals) => {
      if (performance.now() - changedAt <= SAME_SIGNAL_MS) return;
      if (state === 'stopping') process.exit(1);
      const seconds = state === 'serving' ? drainSeconds(signal) : 0;
      if (seconds === 0) {
        log.info({ signal }, 'stopping: requests and frames in progress finish first');
        stop();
      } else {
        log.info({ signal, seconds }, 'draining: not ready, but still accepting requests');
        change('draining');
        timer = setTimeout(stop, seconds * 1000);
      }
      resolve({ drained, done: () => clearTimeout(timer) });
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}

import type { Logger } from 'pino';

/** npm forwards a Ctrl-C that the terminal has already sent. A repeated signal within this time is ignored. */
const SAME_SIGNAL_MS = 1000;
/**
 * Every component has a shorter time limit, but a request or a removal may be waiting for a lock held by another
 * session.
 */
const STOP_MS = 9000;

/** A shutdown in progress. */
export interface Stop {
  /** Resolves at the end of the drain. */
  readonly drained: Promise<void>;
  /** Cancels the time limit. Call it when the process has stopped. */
  readonly done: () => void;
}

/**
 * Resolves at the first SIGTERM or SIGINT. The process drains for `drainSeconds(signal)` seconds and then has 9 seconds
 * to stop. A second signal ends the drain, and a third signal ends the process. The time limit also applies during
 * startup, which may wait for a lock indefinitely.
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
        log.error('the shutdown did not complete in time; exiting');
        process.exit(1);
      }, STOP_MS);
      // The timer must not delay the exit if startup fails after the signal.
      timer.unref();
    };
    const onSignal = (signal: NodeJS.Signals) => {
      if (performance.now() - changedAt <= SAME_SIGNAL_MS) return;
      if (state === 'stopping') process.exit(1);
      const seconds = state === 'serving' ? drainSeconds(signal) : 0;
      if (seconds === 0) {
        log.info({ signal }, 'shutting down; requests and frames in progress finish first');
        stop();
      } else {
        log.info({ signal, seconds }, 'draining; not ready, but still accepting requests');
        change('draining');
        timer = setTimeout(stop, seconds * 1000);
      }
      resolve({ drained, done: () => clearTimeout(timer) });
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}

import type { Screen } from './screen.ts';

const WIDTH = 24;
const REDRAW_INTERVAL_MS = 100;
/** The interval of progress lines if the output is not a terminal. */
const PLAIN_INTERVAL_MS = 5000;

/** The progress of a task, polled at intervals. */
export interface ProgressState {
  readonly done: number;
  readonly total: number;
  /** The progress, formatted as text. */
  readonly text: string;
}

/** Shows progress until `end` is called: a progress bar on a terminal, or otherwise a line every few seconds. */
export function startProgress(screen: Screen, state: () => ProgressState): { readonly end: () => void } {
  const show = () => {
    const { done, total, text } = state();
    if (screen.isTerminal) screen.status(`${bar(done, total)} ${text}`);
    else screen.notice(`${text}\n`);
  };
  if (screen.isTerminal) show();
  const timer = setInterval(show, screen.isTerminal ? REDRAW_INTERVAL_MS : PLAIN_INTERVAL_MS);
  return {
    end: () => {
      clearInterval(timer);
      screen.status('');
    },
  };
}

function bar(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.min(WIDTH, Math.floor((WIDTH * done) / total));
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
}

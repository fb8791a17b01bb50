import type { Screen } from './screen.ts';

const WIDTH = 24;
const REDRAW_EVERY_MS = 100;
/** How often a scan that nobody watches says where it is. */
const PLAIN_EVERY_MS = 5000;

/** How far a piece of work is, as it is asked for now and then. */
export interface ProgressState {
  readonly done: number;
  readonly total: number;
  /** How far it is in words, and anything else that tells that the work goes on. */
  readonly text: string;
}

/** Shows how far a piece of work is until `end`: a bar on a terminal, now and then a line elsewhere. */
export function startProgress(screen: Screen, state: () => ProgressState): { readonly end: () => void } {
  const show = () => {
    const { done, total, text } = state();
    if (screen.isTerminal) screen.status(`${bar(done, total)} ${text}`);
    else screen.notice(`${text}\n`);
  };
  if (screen.isTerminal) show();
  const timer = setInterval(show, screen.isTerminal ? REDRAW_EVERY_MS : PLAIN_EVERY_MS);
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

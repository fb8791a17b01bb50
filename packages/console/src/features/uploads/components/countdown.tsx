import { useSyncExternalStore } from 'react';
import { formatCount } from '../../../lib/format-number.ts';

const TICK_MS = 1000;
const tick = (onTick: () => void) => {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
};

/** The time until the next attempt. `to` is in milliseconds since the epoch. */
export function Countdown({ to }: { readonly to: number }) {
  const seconds = useSyncExternalStore(tick, () => Math.ceil((to - Date.now()) / TICK_MS));
  return seconds > 0 ? `Retrying in ${formatCount(seconds)} s.` : 'Retrying…';
}

import { useSyncExternalStore } from 'react';
import { formatAge, formatTime } from '../lib/format-time.ts';

const TICK_MS = 10_000;
const tick = (onTick: () => void) => {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
};
const now = () => Math.floor(Date.now() / TICK_MS) * TICK_MS;

/** A relative time, with the exact time as a tooltip. */
export function Time({ time }: { readonly time: string }) {
  const at = useSyncExternalStore(tick, now);
  return (
    <time dateTime={time} title={`${formatTime(time)} (${time})`}>
      {formatAge(time, Math.max(at, Date.parse(time) <= Date.now() ? Date.parse(time) : at))}
    </time>
  );
}

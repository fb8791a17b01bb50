/** Resolves after this many milliseconds, or as soon as the signal is aborted. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  const timer = setTimeout(end, ms);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  });
}

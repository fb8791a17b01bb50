/**
 * Limits calls to one per interval, in milliseconds. The first call runs immediately. Further calls during the interval
 * are combined into one call at its end.
 */
export function throttle(ms: number, call: () => void): () => void {
  let isWaiting = false;
  let isRequested = false;
  const run = () => {
    isRequested = false;
    isWaiting = true;
    call();
    setTimeout(() => {
      isWaiting = false;
      if (isRequested) run();
    }, ms);
  };
  return () => {
    isRequested = true;
    if (!isWaiting) run();
  };
}

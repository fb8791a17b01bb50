/** Limits calls to one per interval in milliseconds: the first runs immediately, and repeated calls run once at the end. */
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

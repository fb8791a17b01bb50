/** Calls at once, and while it is asked again in the meantime, once more after so many milliseconds. */
export function throttle(ms: number, call: () => void): () => void {
  let resting = false;
  let asked = false;
  const run = () => {
    asked = false;
    resting = true;
    call();
    setTimeout(() => {
      resting = false;
      if (asked) run();
    }, ms);
  };
  return () => {
    asked = true;
    if (!resting) run();
  };
}

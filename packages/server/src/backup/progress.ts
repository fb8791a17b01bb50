const REPORT_MS = 1000;

/** Reports the progress of a backup or restore. */
export type Report = (message: string) => void;

/** Writes at most one line per second to stderr if it is a terminal, otherwise nothing. */
export function reportOnTerminal(): Report {
  if (!process.stderr.isTTY) return () => undefined;
  let lastAt = 0;
  return (message) => {
    const now = performance.now();
    if (now - lastAt < REPORT_MS) return;
    lastAt = now;
    process.stderr.write(`${message}\n`);
  };
}

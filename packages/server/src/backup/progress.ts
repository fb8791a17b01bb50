const REPORT_MS = 1000;

/** Tells a person at a terminal what a backup or a restore does; at most one line per second. */
export type Report = (message: string) => void;

/** Lines on stderr where that is a terminal, nothing elsewhere. */
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

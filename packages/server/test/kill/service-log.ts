/** Counts log lines with level `warn` or above, from all processes, by message. */
export class ServiceLog {
  readonly #counts = new Map<string, number>();

  add(stderr: string): void {
    for (const line of stderr.split('\n').filter((text) => text.startsWith('{'))) {
      const message = messageOf(line);
      this.#counts.set(message, (this.#counts.get(message) ?? 0) + 1);
    }
  }

  /** Returns the messages with their counts, most frequent first. */
  lines(): string[] {
    return [...this.#counts].sort(([, a], [, b]) => b - a).map(([message, count]) => `${count} x ${message}`);
  }
}

/**
 * Returns the message of a log line, including the error message. The last line of a killed process may be truncated.
 */
function messageOf(line: string): string {
  const message = /"msg":"((?:[^"\\]|\\.)*)"\}$/.exec(line)?.[1] ?? 'a truncated line';
  const error = /"err":\{.*?"message":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
  return error === undefined ? message : `${message}: ${error.slice(0, 200)}`;
}

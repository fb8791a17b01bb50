import type { WriteStream } from 'node:tty';

/** What of an output stream is used here. */
export type Output = Pick<WriteStream, 'write'> &
  Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>>;

const CLEAR_LINE = '\r\u001b[2K';

/**
 * The two streams of a run: results on stdout, everything else on stderr, whose last line on a terminal may be a
 * status that is redrawn.
 */
export class Screen {
  /** Whether a status line can be redrawn. */
  readonly isTerminal: boolean;
  readonly #stdout: Output;
  readonly #stderr: Output;
  #status = '';

  constructor(stdout: Output, stderr: Output) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.isTerminal = stderr.isTTY === true;
  }

  result(text: string): void {
    this.#aside(() => this.#stdout.write(text));
  }

  notice(text: string): void {
    this.#aside(() => this.#stderr.write(text));
  }

  /** Shows this line below everything else until the next one; an empty one removes it. Only on a terminal. */
  status(line: string): void {
    if (!this.isTerminal) return;
    const shown = line.slice(0, (this.#stderr.columns ?? 80) - 1);
    if (shown === this.#status) return;
    this.#stderr.write(`${CLEAR_LINE}${shown}`);
    this.#status = shown;
  }

  #aside(write: () => void): void {
    const status = this.#status;
    this.status('');
    write();
    this.status(status);
  }
}

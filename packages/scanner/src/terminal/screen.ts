import type { WriteStream } from 'node:tty';

/** The members of an output stream that the scanner uses. */
export type Output = Pick<WriteStream, 'write'> &
  Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>>;

const CLEAR_LINE = '\r\u001b[2K';

/**
 * Writes results to stdout and everything else to stderr. On a terminal, the last line of stderr can be a status line
 * that is redrawn.
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
    this.#writeAboveStatus(() => this.#stdout.write(text));
  }

  notice(text: string): void {
    this.#writeAboveStatus(() => this.#stderr.write(text));
  }

  /** Shows a status line below the output, on a terminal only. An empty string removes it. */
  status(line: string): void {
    if (!this.isTerminal) return;
    const shown = line.slice(0, (this.#stderr.columns ?? 80) - 1);
    if (shown === this.#status) return;
    this.#stderr.write(`${CLEAR_LINE}${shown}`);
    this.#status = shown;
  }

  #writeAboveStatus(write: () => void): void {
    const status = this.#status;
    this.status('');
    write();
    this.status(status);
  }
}

/**
 * Whether to use colors: on a terminal that supports them, without `--no-color`, and with `NO_COLOR` unset or empty
 * (https://no-color.org).
 */
export function shouldUseColors(stream: Output, requested: boolean, env: NodeJS.ProcessEnv): boolean {
  const isDisabled = env.NO_COLOR !== undefined && env.NO_COLOR !== '';
  return requested && !isDisabled && stream.isTTY === true && stream.hasColors?.() === true;
}

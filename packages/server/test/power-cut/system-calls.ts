/** A system call of one thread; its two moments are lines of the trace. */
export interface SystemCall {
  readonly name: string;
  /** As they are printed; `bytesIn` reads the strings in them. */
  readonly words: readonly string[];
  /** What it returned; below 0 where it failed, `undefined` where its process ended in the middle of it. */
  readonly result: number | undefined;
  readonly beganAt: number;
  readonly endedAt: number;
}

interface Begun {
  readonly name: string;
  readonly text: string;
  readonly beganAt: number;
}

/**
 * Reads what `strace -f -xx` prints, in the order in which calls began. Throws an Error for a line that is none of a call,
 * a signal or an exit.
 */
export function readSystemCalls(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, Begun>();
  for (const [line, printed] of trace.split('\n').entries()) {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/s.exec(printed) ?? [];
    if (/^(?:---|\+\+\+) /.test(text) || printed === '') continue;
    const resumed = /^<\.\.\. (\w+) resumed>/.exec(text);
    const begun = resumed === null ? begin(text, line) : open.get(thread);
    if (begun === undefined || (resumed !== null && begun.name !== resumed[1]))
      throw new Error(`line ${line + 1} of the trace is no system call: ${printed.slice(0, 200)}`);
    open.delete(thread);
    const rest = resumed === null ? begun.text : begun.text + text.slice(resumed[0].length);
    if (rest.endsWith(UNFINISHED)) open.set(thread, { ...begun, text: rest.slice(0, -UNFINISHED.length) });
    else calls.push({ ...end(begun, rest), endedAt: line });
  }
  for (const begun of open.values()) calls.push({ ...end(begun, `${begun.text}) = ?`), endedAt: Infinity });
  return calls.sort((one, other) => one.beganAt - other.beganAt);
}

const UNFINISHED = ' <unfinished ...>';

function begin(text: string, line: number): Begun | undefined {
  const [head, name] = /^(\w+)\(/.exec(text) ?? [];
  return head === undefined || name === undefined
    ? undefined
    : { name, text: text.slice(head.length), beganAt: line };
}

function end({ name, beganAt }: Begun, text: string): Omit<SystemCall, 'endedAt'> {
  const at = text.lastIndexOf(' = ');
  const words = splitWords(text.slice(0, text.lastIndexOf(')', at)));
  const result = Number.parseInt(text.slice(at + 3), 10);
  return { name, words, result: Number.isNaN(result) ? undefined : result, beganAt };
}

/** Strings are printed in hexadecimal digits alone, so every comma is the trace's own. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  let from = 0;
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(/[[\]{},]/g)) {
    if (sign !== ',') depth += '[{'.includes(sign) ? 1 : -1;
    else if (depth === 0) {
      words.push(text.slice(from, index).trim());
      from = index + 1;
    }
  }
  return [...words, text.slice(from).trim()];
}

/** The bytes of all strings in a word, one after the other, as of the pieces of a `writev`. */
export function bytesIn(word: string): Buffer {
  if (/"\.\.\./.test(word)) throw new Error('the trace has only the beginning of a string');
  const strings = word.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g);
  return Buffer.concat(
    Array.from(strings, ([, digits = '']) => Buffer.from(digits.replaceAll('\\x', ''), 'hex')),
  );
}

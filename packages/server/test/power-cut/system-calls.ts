/** A system call of one thread. The start and end are line numbers of the trace. */
export interface SystemCall {
  readonly name: string;
  /** The arguments as printed; `bytesIn` decodes the strings in them. */
  readonly args: readonly string[];
  /** The return value: negative if the call failed, `undefined` if the process ended during the call. */
  readonly result: number | undefined;
  readonly startedAt: number;
  readonly endedAt: number;
}

interface StartedCall {
  readonly name: string;
  readonly text: string;
  readonly startedAt: number;
}

/**
 * Parses the output of `strace -f -xx`, in the order in which calls started. Throws an Error for a line that is not a call, a
 * signal or an exit.
 */
export function readSystemCalls(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, StartedCall>();
  for (const [line, printed] of trace.split('\n').entries()) {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/s.exec(printed) ?? [];
    if (/^(?:---|\+\+\+) /.test(text) || printed === '') continue;
    const resumed = /^<\.\.\. (\w+) resumed>/.exec(text);
    const call = resumed === null ? start(text, line) : open.get(thread);
    if (call === undefined || (resumed !== null && call.name !== resumed[1]))
      throw new Error(`line ${line + 1} of the trace is not a system call: ${printed.slice(0, 200)}`);
    open.delete(thread);
    const remaining = resumed === null ? call.text : call.text + text.slice(resumed[0].length);
    if (remaining.endsWith(UNFINISHED))
      open.set(thread, { ...call, text: remaining.slice(0, -UNFINISHED.length) });
    else calls.push({ ...end(call, remaining), endedAt: line });
  }
  for (const call of open.values()) calls.push({ ...end(call, `${call.text}) = ?`), endedAt: Infinity });
  return calls.sort((one, other) => one.startedAt - other.startedAt);
}

const UNFINISHED = ' <unfinished ...>';

function start(text: string, line: number): StartedCall | undefined {
  const [head, name] = /^(\w+)\(/.exec(text) ?? [];
  return head === undefined || name === undefined
    ? undefined
    : { name, text: text.slice(head.length), startedAt: line };
}

function end({ name, startedAt }: StartedCall, text: string): Omit<SystemCall, 'endedAt'> {
  const at = text.lastIndexOf(' = ');
  const args = splitArguments(text.slice(0, text.lastIndexOf(')', at)));
  const result = Number.parseInt(text.slice(at + 3), 10);
  return { name, args, result: Number.isNaN(result) ? undefined : result, startedAt };
}

/** Strings are printed in hexadecimal, so they contain no commas. */
function splitArguments(text: string): string[] {
  const args: string[] = [];
  let from = 0;
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(/[[\]{},]/g)) {
    if (sign !== ',') depth += '[{'.includes(sign) ? 1 : -1;
    else if (depth === 0) {
      args.push(text.slice(from, index).trim());
      from = index + 1;
    }
  }
  return [...args, text.slice(from).trim()];
}

/** Returns the concatenated bytes of all strings in an argument, such as the pieces of a `writev`. */
export function bytesIn(word: string): Buffer {
  if (/"\.\.\./.test(word)) throw new Error('a string in the trace is truncated');
  const strings = word.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g);
  return Buffer.concat(
    Array.from(strings, ([, digits = '']) => Buffer.from(digits.replaceAll('\\x', ''), 'hex')),
  );
}

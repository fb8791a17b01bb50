import { bytesIn, type SystemCall } from './system-calls.ts';

/** The 202 response to an upload. */
export interface Acknowledgment {
  readonly ingestionId: string;
  /** The moment at which the first byte of the response may have left the process. */
  readonly moment: number;
}

/** Finds the 202 responses that a process wrote, in order. */
export function acknowledgmentsIn(calls: readonly SystemCall[]): Acknowledgment[] {
  return calls.flatMap(({ name, args, startedAt }) => {
    const [, data = ''] = args;
    if (!['write', 'writev'].includes(name) || !data.includes(ACCEPTED)) return [];
    const [, ingestionId] = /^location: \S+\/ingestions\/(\S+)\r$/im.exec(bytesIn(data).toString()) ?? [];
    if (ingestionId === undefined) throw new Error('a 202 response has no Location');
    return [{ ingestionId, moment: startedAt }];
  });
}

const ACCEPTED = Array.from(Buffer.from('HTTP/1.1 202'), (byte) => `\\x${byte.toString(16)}`).join('');

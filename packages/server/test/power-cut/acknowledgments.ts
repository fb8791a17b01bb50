import { bytesIn, type SystemCall } from './system-calls.ts';

/** A 202 of an upload. */
export interface Acknowledgment {
  readonly ingestionId: string;
  /** When the first byte of the response may have left the process. */
  readonly moment: number;
}

/** Finds the responses with status 202 that a process wrote to its clients, in their order. */
export function acknowledgmentsIn(calls: readonly SystemCall[]): Acknowledgment[] {
  return calls.flatMap(({ name, words, beganAt }) => {
    const [, data = ''] = words;
    if (!['write', 'writev'].includes(name) || !data.includes(ACCEPTED)) return [];
    const [, ingestionId] = /^location: \S+\/ingestions\/(\S+)\r$/im.exec(bytesIn(data).toString()) ?? [];
    if (ingestionId === undefined) throw new Error('a 202 has no Location');
    return [{ ingestionId, moment: beganAt }];
  });
}

const ACCEPTED = Array.from(Buffer.from('HTTP/1.1 202'), (byte) => `\\x${byte.toString(16)}`).join('');

import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Armed, FaultPoint } from '../support/fault-point.ts';
import type { FileFault } from './file-faults.ts';

/** Controls `failing-files.ts` in another process over a socket. */
export function failingFilesOf(socketPath: string, fault: () => FileFault): FaultPoint {
  const call = async (method: string, body?: unknown): Promise<unknown> => {
    const sent = request({ socketPath, method });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      sent.once('response', resolve).once('error', reject),
    );
    return await json(response);
  };
  return {
    arm: async (n) => void (await call('POST', { n, fault: fault() })),
    disarm: async (): Promise<Armed> => {
      const { calls, failed } = Object(await call('DELETE'));
      return { calls, failed };
    },
  };
}

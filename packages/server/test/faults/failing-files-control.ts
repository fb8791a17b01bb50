import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Armed, FaultPoint } from './fault-point.ts';
import type { FileFault } from './file-faults.ts';

/** Controls the file operations of another process that has preloaded `failing-files.ts`, over its socket. */
export function failingFilesOf(socketPath: string, fault: () => FileFault): FaultPoint {
  const ask = async (method: string, body?: unknown): Promise<unknown> => {
    const sent = request({ socketPath, method });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      sent.once('response', resolve).once('error', reject),
    );
    return await json(answer);
  };
  return {
    arm: async (n) => void (await ask('POST', { n, fault: fault() })),
    disarm: async (): Promise<Armed> => {
      const { calls, failed } = Object(await ask('DELETE'));
      return { calls, failed };
    },
  };
}

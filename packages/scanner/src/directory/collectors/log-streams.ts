import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import type { Read } from '../read-result.ts';
import type { LogStream } from '../snapshot.ts';
import { id, mapRead, oncePerId, text } from './fields.ts';

const logStreamSchema = z
  .object({ id, name: text, status: text, type: text })
  .transform(({ name, ...stream }): LogStream => ({ ...stream, name: name ?? stream.id }));

/** The log streams that export the system log. */
export async function readLogStreams(api: ManagementApi): Promise<Read<readonly LogStream[]>> {
  const streams = await api.list({
    path: '/api/v1/logStreams',
    query: { limit: '200' },
    scope: 'logStreams',
    isFeature: true,
    schema: logStreamSchema,
  });
  return mapRead(streams, oncePerId);
}

import { createIngestionClient, type IngestionClient } from '../client/index.ts';
import type { Log } from '../log.ts';
import { readPushSettings } from './settings.ts';

/** A client of the service that the environment names. Throws a PushError where that cannot be read. */
export function openClient(env: NodeJS.ProcessEnv, version: string, log: Log): IngestionClient {
  return createIngestionClient({
    ...readPushSettings(env),
    userAgent: `sluice-scanner/${version} node/${process.versions.node}`,
    onRetry: ({ request, reason, waitSeconds }) =>
      log.warn(`${request}: ${reason}; trying again in ${waitSeconds} s`),
  });
}

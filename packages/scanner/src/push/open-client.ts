import { isLoopback, readBaseUrl } from '../client/base-url.ts';
import { createIngestionClient, type IngestionClient } from '../client/index.ts';
import type { Log } from '../log.ts';
import { readPushSettings } from './settings.ts';

/** A client of the service that the environment names. Throws a PushError where that cannot be read. */
export function openClient(env: NodeJS.ProcessEnv, version: string, log: Log): IngestionClient {
  const settings = readPushSettings(env);
  const url = readBaseUrl(settings.baseUrl);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    log.warn(`${url.origin} is not encrypted: who listens on the way can read the API key`);
  return createIngestionClient({
    ...settings,
    userAgent: `sluice-scanner/${version} node/${process.versions.node}`,
    onRetry: ({ request, reason, waitSeconds }) =>
      log.warn(`${request}: ${reason}; trying again in ${waitSeconds} s`),
  });
}

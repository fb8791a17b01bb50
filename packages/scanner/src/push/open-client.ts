import { isLoopback, readBaseUrl } from '../client/base-url.ts';
import { createIngestionClient, type IngestionClient } from '../client/index.ts';
import type { Log } from '../log.ts';
import { type Problem, problemOf } from './problem.ts';
import { readPushSettings } from './settings.ts';

/** A client, or the problem that prevented its creation. */
export type OpenedClient =
  | { readonly client: IngestionClient; readonly problem?: never }
  | { readonly client?: never; readonly problem: Problem };

export interface ClientContext {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly log: Log;
}

/** Creates a client from the environment. Nothing is sent yet. */
export function openClient(context: ClientContext): OpenedClient {
  try {
    return { client: createClient(context) };
  } catch (error) {
    return { problem: problemOf(error, context.log) };
  }
}

function createClient({ env, version, log }: ClientContext): IngestionClient {
  const settings = readPushSettings(env);
  const url = readBaseUrl(settings.baseUrl);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    log.warn(`the connection to ${url.origin} is not encrypted, so the API key can be intercepted`);
  return createIngestionClient({
    ...settings,
    userAgent: `sluice-scanner/${version} node/${process.versions.node}`,
    onRetry: ({ request, reason, waitSeconds }) =>
      log.warn(`${request}: ${reason}; retrying in ${waitSeconds} s`),
  });
}

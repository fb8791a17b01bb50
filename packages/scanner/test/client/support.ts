import assert from 'node:assert/strict';
import path from 'node:path';
import type { TestContext } from 'node:test';
import {
  type ClientOptions,
  createIngestionClient,
  type IngestionClient,
  PushError,
  type PushErrorCode,
} from '../../src/client/index.ts';
import { KEY, makeFiles } from '../push/support/run-push.ts';

/** A client without retries that is closed after the test. */
export function openClient(
  context: TestContext,
  service: { readonly url: string },
  options: Partial<ClientOptions> = {},
): IngestionClient {
  const client = createIngestionClient({
    apiKey: KEY,
    baseUrl: service.url,
    timeoutSeconds: 20,
    maxRetries: 0,
    env: {},
    ...options,
  });
  context.after(() => client.close());
  return client;
}

/** Creates a temporary file for the test and returns its path. */
export async function makeFile(context: TestContext, content: string | Buffer): Promise<string> {
  return path.join(await makeFiles(context, { 'a.ocsf.json': content }), 'a.ocsf.json');
}

/** Asserts that a call is rejected with a PushError that has this code, and returns the error. */
export async function pushError(failing: Promise<unknown>, code: PushErrorCode): Promise<PushError> {
  const error: unknown = await failing.then(
    () => assert.fail('the call did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PushError, String(error));
  assert.equal(error.code, code);
  return error;
}

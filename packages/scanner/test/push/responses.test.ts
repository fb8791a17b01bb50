import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Behavior, page, refuse, respond } from './support/behaviors.ts';
import { failureOf, pushOne } from './support/run-push.ts';
import { startService } from './support/service.ts';

const DETAIL = 'Line one of the service.\nLine two.';
const SAID = 'Line one of the service\\. Line two';
const KEY_NAMED = 'SCANNER_CLOUD_API_KEY';
const CHECK_VARIABLE = 'SCANNER_CLOUD_API_BASE_URL';

/**
 * Responses that are not retried, with the expected error code and a pattern for the error message, which includes the
 * service's message.
 */
const FINAL: readonly [status: number, code: string, expectedMessage: string][] = [
  [400, 'refused', `^POST /api/v1/ingestions returned 400: ${SAID}$`],
  [401, 'unauthorized', `rejected the API key \\(401\\): ${SAID}; verify the key in ${KEY_NAMED}`],
  [
    402,
    'subscription_required',
    `requires an active subscription \\(402\\): ${SAID}; activate a subscription`,
  ],
  [
    403,
    'permission_denied',
    `\\(403\\): ${SAID}; verify .*${KEY_NAMED} has the permission manage_ingestions`,
  ],
  [404, 'refused', `^POST /api/v1/ingestions returned 404: ${SAID}`],
  [409, 'refused', `^POST /api/v1/ingestions returned 409: ${SAID}$`],
  [413, 'upload_too_large', `the file is too large for the service \\(413\\): ${SAID}`],
];

/** Responses from servers other than Sluice. */
const UNEXPECTED: readonly [description: string, behavior: Behavior, expectedMessage: RegExp][] = [
  ['an HTML page with 200', page(200), /returned 200 with an HTML page: this is not a Sluice service/],
  ['unexpected JSON', respond(202, { id: 7 }), /returned 202 with unexpected JSON/],
  ['text', respond(200, 'It works!'), /returned 200 with text that is not JSON/],
  ['an empty 202', respond(202), /returned 202 with an empty body/],
];

describe('responses that end a push', { concurrency: 2 }, () => {
  for (const [status, code, expectedMessage] of FINAL)
    it(`reports ${status} with the service's message, without a retry`, async (context) => {
      const service = await startService(context, { uploads: [refuse(status, DETAIL)] });
      const env = { SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '4' };
      const failure = failureOf(await pushOne(context, { service, env }));
      assert.equal(failure.code, code);
      assert.match(failure.message, new RegExp(expectedMessage));
      assert.deepEqual([service.uploads().length, failure.retries], [1, []]);
    });

  for (const [description, behavior, expectedMessage] of UNEXPECTED)
    it(`reports ${description}, and the variable that contains the base URL`, async (context) => {
      const service = await startService(context, { uploads: [behavior] });
      const { code, message } = failureOf(await pushOne(context, { service }));
      assert.equal(code, 'not_understood');
      assert.match(message, expectedMessage);
      assert.match(message, new RegExp(`check ${CHECK_VARIABLE}$`));
      assert.equal(service.uploads().length, 1);
    });

  it('reports a 502 response with an HTML page, but does not print the page', async (context) => {
    const service = await startService(context, { uploads: [page(502)] });
    const { code, message } = failureOf(await pushOne(context, { service }));
    assert.equal(code, 'service_failed');
    assert.match(message, /^POST \/api\/v1\/ingestions returned 502; try again later/);
  });

  it('removes control characters from service messages and shortens long messages', async (context) => {
    const detail = `\u001b[31mred\u0007 ${'long '.repeat(1000)}`;
    const service = await startService(context, { uploads: [refuse(400, detail)] });
    const { message } = failureOf(await pushOne(context, { service }));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not occur
    assert.doesNotMatch(message, /[\u0000-\u001f]/);
    assert.match(message, /400: \[31mred long .*\.\.\.$/);
    assert.ok(message.length < 500);
  });

  it('does not print the API key if a response contains it', async (context) => {
    const echo: Behavior = (exchange) =>
      refuse(401, `No such key: ${exchange.request.headers.authorization}`)(exchange);
    const service = await startService(context, { uploads: [echo] });
    assert.match(failureOf(await pushOne(context, { service })).message, /No such key: Api-Key \*{3}/);
  });

  it('accepts a 202 response that contains only the job ID', async (context) => {
    const service = await startService(context, { uploads: [respond(202, { data: { id: 'only-this' } })] });
    const { code, stdout } = await pushOne(context, { service });
    assert.equal(code, 0);
    assert.equal(stdout, `a.ocsf.json: pushed\n  Ingestion job: only-this\n  Scans: ${service.url}/scans\n`);
  });
});

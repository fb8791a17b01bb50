import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itInWholeRun } from '../../../server/test/support/is-whole-run.ts';
import {
  closeAfter,
  halfResponse,
  hang,
  hangInResponse,
  neverRead,
  readSlowly,
  reset,
  respond,
} from './support/behaviors.ts';
import { accepted, job } from './support/documents.ts';
import { bigContent, failureOf, makeFiles, pushOne, runPush } from './support/run-push.ts';
import { closedPort, startService } from './support/service.ts';

const BRIEF = { SCANNER_CLOUD_TIMEOUT_SECONDS: '0.5', SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '4' };
const CHECK = 'check the URL \\(SCANNER_CLOUD_API_BASE_URL\\) and the network$';

describe('failing connections', { concurrency: 2 }, () => {
  it('reports a refused connection with the address and the variable name', async (context) => {
    const service = { url: `http://127.0.0.1:${await closedPort()}` };
    const env = { SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '1' };
    const { code, message, retries } = failureOf(await pushOne(context, { service, env }));
    assert.equal(code, 'unreachable');
    assert.match(message, new RegExp(`^${service.url} could not be reached \\(ECONNREFUSED\\); ${CHECK}`));
    assert.equal(retries.length, 1);
  });

  it('reports an unknown host name in the base URL', async (context) => {
    const service = { url: 'https://sluice.invalid' };
    const { code, message } = failureOf(await pushOne(context, { service }));
    assert.equal(code, 'unreachable');
    assert.match(
      message,
      new RegExp(`^${service.url} could not be reached \\((ENOTFOUND|EAI_\\w+)\\); ${CHECK}`),
    );
  });

  for (const [moment, behavior] of [
    ['before the response', hang],
    ['after half of the response', hangInResponse],
  ] as const)
    it(`retries once if the service stalls ${moment}`, async (context) => {
      const service = await startService(context, { uploads: [behavior] });
      const { code, message } = failureOf(await pushOne(context, { service, env: BRIEF }));
      assert.equal(code, 'no_answer');
      assert.match(
        message,
        new RegExp(`^${service.url} did not respond: the connection was idle for 0.5 s; ${CHECK}`),
      );
      assert.equal(service.uploads().length, 2);
    });

  itInWholeRun('fails a push if the upload of a large file stalls', async (context) => {
    const service = await startService(context, { uploads: [neverRead] });
    const cwd = await makeFiles(context, { 'a.ocsf.json': bigContent() });
    const { code } = failureOf(await runPush(['a.ocsf.json'], { cwd, service, env: BRIEF }));
    assert.equal(code, 'no_answer');
    assert.equal(service.uploads().length, 2);
  });

  itInWholeRun('does not time out while a slow service keeps receiving data', async (context) => {
    let started = 0;
    const slow = readSlowly(200, respond(202, job('pending')));
    const service = await startService(context, {
      uploads: [
        (exchange) => {
          started = performance.now();
          return slow(exchange);
        },
      ],
    });
    const cwd = await makeFiles(context, { 'a.ocsf.json': bigContent() });
    const env = { ...BRIEF, SCANNER_CLOUD_TIMEOUT_SECONDS: '2' };
    assert.equal((await runPush(['a.ocsf.json'], { cwd, service, env })).code, 0);
    assert.equal(service.uploads().length, 1);
    assert.ok(performance.now() - started > 2_000, 'the transfer was shorter than the idle timeout');
  });

  for (const [description, behavior] of [
    ['in the middle of the response', halfResponse],
    ['at the start of the upload', reset],
    ['at the first byte of the response', closeAfter(1)],
  ] as const)
    it(`retries the push if the connection is lost ${description}`, async (context) => {
      const service = await startService(context, { uploads: [behavior, accepted] });
      const { code, stderr } = await pushOne(context, { service, env: BRIEF });
      assert.deepEqual({ code, uploads: service.uploads().length }, { code: 0, uploads: 2 });
      assert.match(
        stderr,
        /^WARNING POST \/api\/v1\/ingestions: the connection to \S+ was lost \(\w+\); retrying/,
      );
    });
});

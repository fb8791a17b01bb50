import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { getProgramSkipReason } from '../../examples/test/support/run-process.ts';
import { type Emulator, startEmulator } from '../../packages/directory-emulator/src/index.ts';
import { createFirstTenant } from '../../packages/server/src/process/first-start.ts';
import { databaseOf, withPool } from '../../packages/server/test/support/administration.ts';
import { isWholeRun } from '../../packages/server/test/support/is-whole-run.ts';
import { type Service, startService } from '../../packages/server/test/support/service.ts';
import { until } from '../../packages/server/test/support/until.ts';
import { type Difference, differences, withoutVariables } from './support/compare-output.ts';
import { CHECKOUT, type CodeBlock, codeBlocksOf, readPage } from './support/markdown.ts';
import { LONG_PAGES, RUN_PAGES } from './support/run-pages.ts';
import { openShell } from './support/shell.ts';

const DOCUMENTED_URL = 'http://127.0.0.1:8080';
/** The default rate limits, because the documented responses show them. */
const SETTINGS = { SLUICE_WORKERS: '1', SLUICE_REQUESTS_PER_MINUTE: '600', SLUICE_UPLOADS_PER_MINUTE: '60' };
/** The placeholder that stands for the ID of a resource type. */
const PLACEHOLDERS = {
  ingestions: 'JOB_ID',
  findings: 'FINDING_ID',
  providers: 'PROVIDER_ID',
  'api-keys': 'API_KEY_ID',
  webhooks: 'WEBHOOK_ID',
  'webhook-deliveries': 'DELIVERY_ID',
};
/** The languages of blocks that show the output of the commands before them. */
const OUTPUT_LANGUAGES = ['text', 'json'];
const UPDATE = process.env.UPDATE_DOCS === '1';

const skip = await getProgramSkipReason('curl');

describe('commands in the documentation', { skip }, () => {
  let service: Service;
  let emulator: Emulator;
  let folder: string;
  before(async () => {
    // A separate service, because the documented limits must apply and `sluice` commands need its database.
    [service, emulator] = await Promise.all([
      startService(SETTINGS),
      startEmulator({ organization: 'mixed' }),
    ]);
    // Commands write files, so they run in a temporary folder with links to the checkout.
    folder = await mkdtemp(path.join(tmpdir(), 'sluice-docs-'));
    for (const name of await readdir(CHECKOUT))
      if (name !== 'output') await symlink(path.join(CHECKOUT, name), path.join(folder, name));
  });
  after(async () => {
    await Promise.all([service.remove(), emulator.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  for (const page of RUN_PAGES.filter((page) => isWholeRun || UPDATE || !LONG_PAGES.includes(page)))
    it(`runs all commands in ${page} and gets the documented output`, async () => {
      const { key, tenantId } = await withPool(databaseOf(service.databaseUrl), createFirstTenant);
      const replacements = new Map([
        [DOCUMENTED_URL, service.url],
        ['<API_KEY>', key],
        ['<TENANT_ID>', tenantId],
      ]);
      const shell = openShell(folder, {
        // Like a user's terminal, without the folders that `npm run` adds to the PATH.
        PATH: process.env.PATH?.split(path.delimiter)
          .filter((entry) => !entry.includes('node_modules'))
          .join(path.delimiter),
        HOME: process.env.HOME,
        NO_COLOR: '1',
        DATABASE_URL: service.databaseUrl,
        SLUICE_DATA_DIR: service.dataDir,
        ...emulator.environment(),
      });
      try {
        let stdout = '';
        const blocks = codeBlocksOf(readPage(page));
        for (const [index, block] of blocks.entries()) {
          const { line, language, text, notRun } = block;
          const place = `${page}:${line}`;
          if (notRun !== undefined) stdout = '';
          else if (language === 'sh') {
            const result = await shell.run(replaceAll(text, replacements));
            assert.equal(result.code, 0, `${place}: ${result.stderr}${result.stdout}`);
            ({ stdout } = result);
            for (const [id, placeholder] of identifiersOf(stdout)) replacements.set(`<${placeholder}>`, id);
            const isErrorDocumented = /^\{\s*"errors"/.test(blocks[index + 1]?.text ?? '');
            if (!isErrorDocumented) assert.doesNotMatch(stdout, /^\{"errors"/m, place);
            await settle(service.url, key);
          } else if (stdout !== '' && OUTPUT_LANGUAGES.includes(language))
            assertOutput(page, block, stdout.replaceAll(service.url, DOCUMENTED_URL));
        }
      } finally {
        shell.close();
      }
    });
});

function replaceAll(text: string, replacements: ReadonlyMap<string, string>): string {
  return [...replacements].reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

/** Pairs the first ID of each resource type in a response with its placeholder. */
function identifiersOf(stdout: string): readonly (readonly [string, string])[] {
  return Object.entries(PLACEHOLDERS).flatMap(([type, placeholder]) => {
    const id = new RegExp(`"type":"${type}","id":"([^"]+)","attributes"`).exec(stdout)?.[1];
    return id === undefined ? [] : [[id, placeholder] as const];
  });
}

/** Waits until all uploads of the tenant are ingested. */
async function settle(url: string, key: string): Promise<void> {
  const unfinished = `${url}/api/v1/ingestions?filter[status__in]=pending,processing&page[size]=1`;
  await until(async () => {
    const response = await fetch(unfinished, { headers: { authorization: `Api-Key ${key}` } });
    return /"count":0/.test(await response.text()) || undefined;
  });
}

/** Compares the documented output with the actual one. With `UPDATE_DOCS=1` it writes differing JSON values to the page. */
function assertOutput(page: string, { line, language, text }: CodeBlock, stdout: string): void {
  const place = `${page}:${line}`;
  if (language === 'json') {
    const found = differences(JSON.parse(text), JSON.parse(stdout));
    if (UPDATE) updateBlock(page, text, found);
    else assert.deepEqual(found, [], place);
    return;
  }
  const lines = withoutVariables(stdout).split('\n');
  for (const documented of withoutVariables(text).split('\n'))
    assert.ok(lines.includes(documented), `${place}: the output has no line '${documented}': ${stdout}`);
}

function updateBlock(page: string, text: string, found: readonly Difference[]): void {
  const updated = found.reduce((result, { place, documented, actual }) => {
    const [from, to] = [documented, actual].map((value) => JSON.stringify(value));
    const name = `"${place.split('/').at(-1)}": `;
    return result.includes(name + from)
      ? result.replace(name + from, () => name + to)
      : result.replace(String(from), () => String(to));
  }, text);
  writeFileSync(
    path.join(CHECKOUT, page),
    readPage(page).replace(text, () => updated),
  );
}

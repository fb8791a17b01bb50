import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { readExample, readYaml } from './support/examples.ts';

const url = new URL('../../docs/pipelines.md', import.meta.url);
const page = readFileSync(url, 'utf8');
const sourceOf = (name: string) =>
  readFileSync(new URL(`../../packages/scanner/src/${name}`, import.meta.url), 'utf8');

const stepSchema = z.array(
  z.object({ with: z.looseObject({ 'extra-env': z.string() }), env: z.record(z.string(), z.string()) }),
);

describe('docs/pipelines.md', () => {
  it('the pipelines guide lists all error codes of a push, and no others', () => {
    const [, list = ''] = /export type PushErrorCode =([^;]+);/.exec(sourceOf('client/push-error.ts')) ?? [];
    const codes = [...list.matchAll(/'(\w+)'/g)].map(([, code]) => code);
    assert.ok(codes.length > 20);
    const [, table = ''] = page.split('## When a push fails');
    const entries = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
    // `PushErrorCode` does not include the codes for missing files, for buffering standard input, and for unexpected errors.
    assert.deepEqual(entries.sort(), [...codes, 'no_such_file', 'input_not_kept', 'unexpected'].sort());
  });

  it('the pipelines guide passes the base URL to the Prowler action, which forwards only the API key by default', () => {
    const [, snippet = ''] = /^```yaml\n(- uses: prowler-cloud.*?)```$/ms.exec(page) ?? [];
    const [step] = stepSchema.parse(readYaml(snippet)[0]);
    assert.ok(step?.with['extra-env'].split(' ').includes('PROWLER_CLOUD_API_BASE_URL'));
    assert.deepEqual(Object.keys(step?.env ?? {}), ['PROWLER_CLOUD_API_BASE_URL', 'PROWLER_CLOUD_API_KEY']);
  });

  it('the pipelines guide mentions all outputs of the GitHub action', async () => {
    const schema = z.object({ outputs: z.record(z.string(), z.unknown()) });
    const { outputs } = schema.parse(readYaml(await readExample('github/action.yml'))[0]);
    for (const name of Object.keys(outputs)) assert.ok(page.includes(`\`${name}\``), name);
  });
});

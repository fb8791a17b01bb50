import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import { CHART, COPIES, DEPLOY } from '../manifests.ts';

const read = (...segments: string[]) => readFile(path.join(...segments), 'utf8');
/** Objects that have a single row in the table, because Kubernetes defines their content. */
const OPAQUE = /(?:^|\.)(?:resources|annotations|labels|\w*[sS]ecurityContext|\w+Probe)$/;

/** Returns the path of each chart value and its default as JSON. */
function defaultsOf(name: string, value: unknown): [string, string][] {
  const isSection =
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
  if (!isSection || OPAQUE.test(name)) return [[name, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    defaultsOf(name === '' ? key : `${name}.${key}`, inner),
  );
}

describe('Helm chart files', () => {
  it('the chart README documents all values in values.yaml with their defaults, and no others', async () => {
    const readme = await read(CHART, 'README.md');
    const [, table = ''] = readme.split('## Values');
    const rows = [...table.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    assert.deepEqual(rows, defaultsOf('', parse(await read(CHART, 'values.yaml'))));
  });

  it('the chart has the same chart version and app version as the service', async () => {
    const { version } = JSON.parse(await read(DEPLOY, '../package.json'));
    const chart = z.object({ version: z.string(), appVersion: z.string() });
    assert.deepEqual(chart.parse(parse(await read(CHART, 'Chart.yaml'))), { version, appVersion: version });
  });

  it('the chart contains up-to-date copies of the alert rules and the dashboard', async () => {
    for (const [from, to] of COPIES)
      assert.equal(
        await read(DEPLOY, to),
        await read(DEPLOY, from),
        `${to} is outdated; run npm run manifests`,
      );
  });
});

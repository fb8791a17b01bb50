import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { CHECKOUT } from './support/dockerfile.ts';

const read = (name: string) => readFile(path.join(CHECKOUT, name), 'utf8');
const renovateSchema = z.looseObject({
  extends: z.array(z.string()),
  packageRules: z.array(z.looseObject({ matchPackageNames: z.array(z.string()), groupName: z.string() })),
  customManagers: z.array(
    z.looseObject({
      managerFilePatterns: z.array(z.string()),
      matchStrings: z.array(z.string()),
      depNameTemplate: z.string(),
    }),
  ),
});

describe('renovate.json', async () => {
  const renovate = renovateSchema.parse(JSON.parse(await read('renovate.json')));

  it('Renovate pins image digests and updates Node in images and npm together', () => {
    assert.ok(renovate.extends.includes('docker:pinDigests'));
    assert.ok(renovate.packageRules.some(({ matchPackageNames }) => matchPackageNames.includes('node')));
  });

  it('Renovate detects the Helm version that the tests install', async () => {
    const [
      { managerFilePatterns, matchStrings, depNameTemplate } = assert.fail(
        'renovate.json has no custom manager',
      ),
    ] = renovate.customManagers;
    const file = 'peers/helm.ts';
    assert.ok(managerFilePatterns.some((pattern) => new RegExp(pattern.slice(1, -1)).test(file)));
    const text = await read(file);
    const [, version] = new RegExp(matchStrings[0] ?? '').exec(text) ?? [];
    assert.match(version ?? '', /^v\d+\.\d+\.\d+$/);
    assert.ok(text.includes(`${depNameTemplate}/cmd/helm@`));
  });
});

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { getDevToolsSkipReason } from '../../scripts/dev-tools.ts';
import { loadGithubParser } from './support/github-parser.ts';

const FOLDER = fileURLToPath(new URL('../../.github/workflows/', import.meta.url));

describe('repository workflows', { skip: getDevToolsSkipReason() }, () => {
  it("GitHub's parser accepts all workflows in .github/workflows", async () => {
    const parser = await loadGithubParser();
    const names = await readdir(FOLDER);
    assert.ok(names.length > 0);
    for (const name of names)
      assert.deepEqual(parser.workflowErrors(name, await readFile(FOLDER + name, 'utf8')), []);
  });
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { installOnce } from '../../packages/server/test/support/install-once.ts';
import { createSandbox } from '../../packages/server/test/support/sandbox.ts';

describe('a program that several test files install', () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  it('installs a program once although three test files need it, and they wait until it is complete', async () => {
    const folder = path.join(await sandbox.newDataDir(), 'cache', 'program');
    let count = 0;
    const install = async (building: string) => {
      count += 1;
      await mkdir(building);
      await sleep(100);
      await writeFile(path.join(building, 'last-file'), '');
      return undefined;
    };
    const files = Array.from({ length: 3 }, async () => {
      assert.equal(await installOnce(folder, install), undefined);
      assert.deepEqual(await readdir(folder), ['last-file']);
    });
    await Promise.all(files);
    assert.equal(count, 1);
    assert.deepEqual(await readdir(path.dirname(folder)), ['program']);
  });

  it('leaves nothing behind if the installation of a program fails', async () => {
    const folder = path.join(await sandbox.newDataDir(), 'program');
    const fail = async (building: string) => {
      await mkdir(building);
      return 'the registry is unavailable';
    };
    assert.equal(await installOnce(folder, fail), 'the registry is unavailable');
    assert.equal(existsSync(folder), false);
    assert.deepEqual(await readdir(path.dirname(folder)), []);
  });
});

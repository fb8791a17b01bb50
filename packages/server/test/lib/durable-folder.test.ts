import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { makeDurableFolder, syncFolder } from '../../src/lib/durable-folder.ts';

it('creates a durable folder and its parents with the given mode, and accepts an existing folder', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-durable-'));
  t.after(() => rm(folder, { recursive: true }));
  const target = path.join(folder, 'a', 'b');
  for (const _ of ['first', 'second']) await makeDurableFolder(target, 0o700);
  assert.equal((await stat(target)).mode & 0o777, 0o700);
});

it('accepts an existing folder whose parent cannot be flushed', async () => {
  await assert.rejects(syncFolder('/proc'), { code: 'EINVAL' });
  await makeDurableFolder('/proc/self');
});

import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { makeFolder } from '../../src/outputs/output-folder.ts';
import { makeFolder as makeTestFolder } from '../cli/run-scanner.ts';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error);

describe('creating a folder', () => {
  it('creates all missing parent folders, even concurrently and for a relative path', async (context) => {
    const { folder, remove } = await makeTestFolder();
    context.after(remove);
    const deep = path.join(path.relative('.', folder), 'a', 'b', 'c');
    await Promise.all([makeFolder(deep), makeFolder(deep), makeFolder(`${deep}/`)]);
    await makeFolder(deep);
    await writeFile(path.join(deep, 'file'), '');
  });

  it('reports that the file system rejects new folders', {
    skip: process.platform !== 'linux' && 'needs /proc',
  }, async () => {
    for (const folder of ['/proc/x', '/proc/x/y/z', '/proc/self/x'])
      assert.ok(['ENOENT', 'EACCES'].includes(String(await makeFolder(folder).catch(codeOf))), folder);
  });

  it('reports a file or a dangling symbolic link in the path', async (context) => {
    const { folder, remove } = await makeTestFolder({ file: '' });
    context.after(remove);
    await symlink('nowhere', path.join(folder, 'link'));
    assert.equal(await makeFolder(path.join(folder, 'file')).catch(codeOf), 'EEXIST');
    assert.equal(await makeFolder(path.join(folder, 'file', 'below')).catch(codeOf), 'ENOTDIR');
    assert.equal(await makeFolder(path.join(folder, 'link')).catch(codeOf), 'EEXIST');
  });
});

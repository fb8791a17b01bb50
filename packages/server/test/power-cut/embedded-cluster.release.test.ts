import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, it } from 'node:test';
import { createSandbox } from '../support/sandbox.ts';
import { settings } from '../support/service.ts';
import { BIN, whyRecordingIsUnavailable } from './recorded-service.ts';

const sandbox = createSandbox();
after(() => sandbox.clear());

it('flushes the entries of the data directory and the cluster before PostgreSQL starts', {
  skip: whyRecordingIsUnavailable() ?? false,
}, async () => {
  const folder = await sandbox.newDataDir();
  const dataDir = path.join(folder, 'new');
  const start = async () => {
    const trace = path.join(await sandbox.newDataDir(), 'trace');
    // Prints the paths of file descriptors (-y), because there are several processes.
    const options = ['-D', '-f', '-y', '-qqq', '-o', trace, '-e', 'trace=?rename,?renameat,fsync,execve'];
    const service = sandbox.startProcess('strace', [...options, process.execPath, BIN, 'serve'], {
      env: settings(dataDir, { SLUICE_WORKERS: '1' }),
    });
    await service.printed(/ready at/);
    service.signal('SIGTERM');
    await service.exited;
    const lines = (await readFile(trace, 'latin1')).split('\n');
    return (...texts: string[]) => lines.findIndex((line) => texts.every((text) => line.includes(text)));
  };

  const first = await start();
  const cluster = `${dataDir}/postgres`;
  const steps = [
    first('fsync(', `<${folder}>`),
    first('fsync(', `<${cluster}.new-`, '/data/global/pg_control>'),
    first('fsync(', `<${cluster}.new-`, '/data>'),
    first('rename', `"${cluster}.new-`, `"${cluster}")`),
    first('fsync(', `<${dataDir}>`),
    first('execve(', '"start"'),
  ];
  assert.ok(!steps.includes(-1), steps.join(', '));
  assert.deepEqual(
    steps,
    steps.toSorted((one, other) => one - other),
  );

  const later = await start();
  for (const name of [folder, dataDir]) {
    const flushed = later('fsync(', `<${name}>`);
    assert.ok(flushed !== -1 && flushed < later('execve(', '"start"'), name);
  }
});

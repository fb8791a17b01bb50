import assert from 'node:assert/strict';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { BLOB_STORE_MARKER } from '../../src/blobs/blob-store.ts';
import { assertBoundStore, bindStore } from '../../src/blobs/blob-store-marker.ts';
import { FileBlobStore } from '../../src/blobs/file-blob-store.ts';
import { InstrumentedBlobStore } from '../../src/blobs/instrumented-blob-store.ts';
import { createClient } from '../support/client.ts';
import { isWholeRun, itInWholeRun } from '../support/is-whole-run.ts';
import { blobsOf } from '../support/refusal.ts';
import { createSandbox } from '../support/sandbox.ts';
import { type Acknowledgment, acknowledgmentsIn } from './acknowledgments.ts';
import { faultOf, findStored, type StoredUpload } from './complete-upload.ts';
import { CrashModel, type CrashState, type Tree } from './crash-states.ts';
import type { DiskOperation } from './disk-operation.ts';
import { type RecordedService, startRecordedService, whyRecordingIsUnavailable } from './recorded-service.ts';
import { sendUploads } from './recorded-uploads.ts';
import { recordingOf } from './recording.ts';
import { StateFolder } from './state-folder.ts';

const BLOBS = 'data/blobs';
/** A sampled run tests one out of this many moments. */
const SAMPLE_INTERVAL = 20;
const TWO_DAYS_MS = 2 * 24 * 3600 * 1000;

/** A possible state, with the 202 responses that clients may have received. */
interface PowerCut {
  readonly state: CrashState;
  readonly acknowledged: readonly Acknowledgment[];
}

describe('a power cut', { skip: whyRecordingIsUnavailable() ?? false }, () => {
  const sandbox = createSandbox();
  let service: RecordedService;
  let uploads: ReadonlyMap<string, StoredUpload>;
  let operations: readonly DiskOperation[];
  let acknowledgments: readonly Acknowledgment[];
  let model: CrashModel;
  before(async () => {
    service = await startRecordedService(sandbox);
    const sent = await sendUploads(service);
    const calls = await service.stop();
    const stored = await Promise.all(sent.map((upload) => findStored(service, upload)));
    uploads = new Map(stored.map((upload) => [upload.ingestionId, upload]));
    const recording = recordingOf(calls, service.folder);
    operations = recording.operations;
    acknowledgments = acknowledgmentsIn(calls);
    model = new CrashModel(recording.root, operations);
  });
  after(async () => {
    await sandbox.clear();
    await service?.dropDatabase();
  });

  /** Returns all moments at which the state of the disk can change. */
  function allMoments(): number[] {
    const moments = operations.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt]);
    return [...acknowledgments.map(({ moment }) => moment), ...moments].filter(Number.isFinite);
  }

  /** Returns all moments of the startup and all 202 responses, and a sample of the other moments. */
  function someMoments(): number[] {
    const acknowledged = acknowledgments.map(({ moment }) => moment);
    const [first = 0] = acknowledged;
    return allMoments().filter(
      (at, index) => at < first || acknowledged.includes(at) || index % SAMPLE_INTERVAL === 0,
    );
  }

  /** Yields each state once, with all 202 responses after which the state is possible. */
  function* powerCuts(moments = isWholeRun ? allMoments() : someMoments()): Generator<PowerCut> {
    const seenIds = new Set<string>();
    // Starts at the end, because an earlier power cut with the same resulting state has fewer 202 responses.
    for (const moment of [...new Set(moments)].sort((first, second) => second - first)) {
      const acknowledged = acknowledgments.filter((each) => each.moment <= moment);
      for (const state of model.statesAt(moment + 0.5)) {
        if (seenIds.has(state.id)) continue;
        seenIds.add(state.id);
        yield { state, acknowledged };
      }
    }
  }

  it('replays a complete recording: without a power cut, the replay matches the folder of the service', async () => {
    assert.deepEqual(describeTree(model.finalTree()), describeTree(await readTree(service.folder)));
    const accepted = new Set(acknowledgments.map(({ ingestionId }) => ingestionId));
    assert.deepEqual([...accepted].sort(), [...uploads.keys()].sort());
    // There is one more response, because one request was repeated.
    assert.equal(acknowledgments.length, accepted.size + 1);
  });

  it('keeps every acknowledged upload complete after a power cut', async (t) => {
    const folder = new StateFolder(await sandbox.newDataDir());
    const blobs = new FileBlobStore(path.join(folder.path, BLOBS));
    let states = 0;
    let incomplete = 0;
    const failures = new Map<string, string>();
    for (const { state, acknowledged } of powerCuts()) {
      states++;
      await folder.show(state.tree());
      for (const [ingestionId, upload] of uploads) {
        const fault = await faultOf(blobs, upload);
        if (fault === undefined) continue;
        incomplete++;
        if (!acknowledged.some((each) => each.ingestionId === ingestionId) || failures.has(upload.key))
          continue;
        failures.set(
          upload.key,
          `${fault}; the upload was acknowledged, and this state is possible:\n${describeTree(state.tree()).join('\n')}`,
        );
      }
    }
    t.diagnostic(`${states} states; uploads without a 202 are incomplete in ${incomplete}`);
    assert.deepEqual([...failures.values()], []);
    assert.ok(incomplete > 0, 'no state contains an incomplete upload, so nothing was tested');
  });

  it('starts after a power cut at any moment, including during the first start', async (t) => {
    const client = await service.connect();
    t.after(() => client.end());
    const tested = new Set<string>();
    for (const { state, acknowledged } of powerCuts()) {
      const marker = state.tree().get(`${BLOBS}/${BLOB_STORE_MARKER}`);
      const isMarked = acknowledged.length > 0;
      const variant = `${marker?.toString('hex')} ${isMarked}`;
      if (tested.has(variant)) continue;
      tested.add(variant);
      const folder = await sandbox.newDataDir();
      let writes = 0;
      const blobs = new InstrumentedBlobStore(new FileBlobStore(folder), ({ operation }) => {
        if (operation === 'write') writes++;
      });
      if (marker !== undefined) await writeFile(path.join(folder, BLOB_STORE_MARKER), marker);
      await client.query('update blob_store set is_marked = $1', [isMarked]);
      await bindStore(client, blobs);
      await assertBoundStore(client, blobs);
      // Even a complete marker is rewritten, because a killed process may not have flushed it.
      assert.equal(writes, isMarked ? 0 : 1);
    }
    assert.ok(tested.size > 4, `only ${tested.size} marker variants were tested`);
  });

  itInWholeRun('removes incomplete blobs after a power cut and keeps blobs that belong to jobs', async () => {
    const all = [...uploads.values()];
    const keys = [BLOB_STORE_MARKER, ...all.map(({ key }) => key)].map((key) => `${BLOBS}/${key}`);
    const incompleteIn = ({ tree }: CrashState) =>
      [...tree()].flatMap(([relativePath, content]) =>
        content === undefined || keys.includes(relativePath) ? [] : [content],
      );
    const isZeros = (content: Buffer) => content.length > 0 && content.every((byte) => byte === 0);
    const powerCut = findPowerCut(
      powerCuts(allMoments()),
      ({ state, acknowledged }) =>
        acknowledged.length === acknowledgments.length && incompleteIn(state).some(isZeros),
    );
    const folder = new StateFolder(await sandbox.newDataDir());
    await folder.show(powerCut.state.tree());
    const dataDir = path.join(folder.path, 'data');
    const old = new Date(Date.now() - TWO_DAYS_MS);
    for (const file of await blobsOf(dataDir)) await utimes(file, old, old);

    const next = await sandbox.startService(
      { DATABASE_URL: service.databaseUrl, SLUICE_WORKERS: '1' },
      dataDir,
    );
    const client = createClient(next.url, service.key);
    for (const { ingestionId, file, idempotencyKey } of all) {
      if (idempotencyKey !== undefined) {
        const headers = { 'idempotency-key': idempotencyKey };
        const { status, body } = await client.upload(new Uint8Array(file), { headers });
        assert.deepEqual([status, body.data.id], [202, ingestionId]);
      }
      const { attributes } = await client.ended(ingestionId);
      assert.equal(attributes.status, 'completed', JSON.stringify(attributes));
      assert.ok((await client.file(ingestionId)).bytes.equals(file));
    }
    const report = await next.sluiceJson<{ orphan_blobs: { count: number } }>('gc');
    assert.equal(report.orphan_blobs.count, incompleteIn(powerCut.state).length);
    const remaining = (await blobsOf(dataDir)).map((file) => path.relative(folder.path, file));
    assert.deepEqual(remaining.sort(), keys.sort());
  });
});

function findPowerCut(powerCuts: Iterable<PowerCut>, matches: (powerCut: PowerCut) => boolean): PowerCut {
  for (const powerCut of powerCuts) if (matches(powerCut)) return powerCut;
  throw new Error('no power cut resulted in the required state');
}

async function readTree(folder: string): Promise<Tree> {
  const tree = new Map<string, Buffer | undefined>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    tree.set(path.relative(folder, file), entry.isFile() ? await readFile(file) : undefined);
  }
  return tree;
}

function describeTree(tree: Tree): string[] {
  return [...tree]
    .map(([relativePath, content]) =>
      content === undefined
        ? `${relativePath}/`
        : `${relativePath} ${content.length} bytes, CRC-32 ${crc32(content)}`,
    )
    .sort();
}

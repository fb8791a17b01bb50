import assert from 'node:assert/strict';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { BLOB_STORE_MARKER } from '../../src/blob-store/blob-store.ts';
import { assertBoundStore, bindStore } from '../../src/blob-store/blob-store-marker.ts';
import { FileBlobStore } from '../../src/blob-store/file-blob-store.ts';
import { InstrumentedBlobStore } from '../../src/blob-store/instrumented-blob-store.ts';
import { createClient } from '../support/client.ts';
import { isWholeRun } from '../support/is-whole-run.ts';
import { blobsOf } from '../support/refusal.ts';
import { createSandbox } from '../support/sandbox.ts';
import { type Acknowledgment, acknowledgmentsIn } from './acknowledgments.ts';
import { faultOf, findStored, type StoredUpload } from './complete-upload.ts';
import { CrashModel, type CrashState, type Tree } from './crash-states.ts';
import type { DiskOperation } from './disk-operation.ts';
import { type RecordedService, startRecordedService, whyNotRecorded } from './recorded-service.ts';
import { sendUploads } from './recorded-uploads.ts';
import { recordingOf } from './recording.ts';
import { StateFolder } from './state-folder.ts';

const BLOBS = 'data/blobs';
/** In a sample one moment of so many is tried. */
const SAMPLE = 20;
const TWO_DAYS_MS = 2 * 24 * 3600 * 1000;

/** A state with the uploads whose 202 a client may have. */
interface Cut {
  readonly state: CrashState;
  readonly acknowledged: readonly Acknowledgment[];
}

describe('a power cut', { skip: whyNotRecorded() ?? false }, () => {
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

  /** All moments after which the disk can look different. */
  function allMoments(): number[] {
    const moments = operations.flatMap(({ beganAt, endedAt }) => [beganAt, endedAt]);
    return [...acknowledgments.map(({ moment }) => moment), ...moments].filter(Number.isFinite);
  }

  /** All of the start, all 202s, and some others. */
  function someMoments(): number[] {
    const acknowledged = acknowledgments.map(({ moment }) => moment);
    const [first = 0] = acknowledged;
    return allMoments().filter(
      (at, index) => at < first || acknowledged.includes(at) || index % SAMPLE === 0,
    );
  }

  /** Each state once, with all the 202s after which it can be left. */
  function* cuts(moments = isWholeRun ? allMoments() : someMoments()): Generator<Cut> {
    const seen = new Set<string>();
    // From the last one on: an earlier power cut that leaves the same has fewer 202s before it.
    for (const moment of [...new Set(moments)].sort((one, other) => other - one)) {
      const acknowledged = acknowledgments.filter((one) => one.moment <= moment);
      for (const state of model.statesAt(moment + 0.5)) {
        if (seen.has(state.id)) continue;
        seen.add(state.id);
        yield { state, acknowledged };
      }
    }
  }

  it('is replayed from a complete recording: the replay without a power cut equals the folder of the service', async () => {
    assert.deepEqual(describeTree(model.finalTree()), describeTree(await readTree(service.folder)));
    const accepted = new Set(acknowledgments.map(({ ingestionId }) => ingestionId));
    assert.deepEqual([...accepted].sort(), [...uploads.keys()].sort());
    // One of them twice: its request was repeated.
    assert.equal(acknowledgments.length, accepted.size + 1);
  });

  it('leaves every acknowledged upload complete', async (t) => {
    const folder = new StateFolder(await sandbox.newDataDir());
    const blobs = new FileBlobStore(path.join(folder.path, BLOBS));
    let states = 0;
    let incomplete = 0;
    const lost = new Map<string, string>();
    for (const { state, acknowledged } of cuts()) {
      states++;
      await folder.show(state.tree());
      for (const [ingestionId, upload] of uploads) {
        const fault = await faultOf(blobs, upload);
        if (fault === undefined) continue;
        incomplete++;
        if (!acknowledged.some((one) => one.ingestionId === ingestionId) || lost.has(upload.key)) continue;
        lost.set(
          upload.key,
          `${fault}; it is acknowledged, and this can be left:\n${describeTree(state.tree()).join('\n')}`,
        );
      }
    }
    t.diagnostic(`${states} states, uploads without a 202 incomplete in ${incomplete}`);
    assert.deepEqual([...lost.values()], []);
    assert.ok(incomplete > 0, 'no state lacks anything, so nothing was tested');
  });

  it('never prevents the next start, even during the first start', async (t) => {
    const client = await service.connect();
    t.after(() => client.end());
    const tried = new Set<string>();
    for (const { state, acknowledged } of cuts()) {
      const mark = state.tree().get(`${BLOBS}/${BLOB_STORE_MARKER}`);
      const isMarked = acknowledged.length > 0;
      const variant = `${mark?.toString('hex')} ${isMarked}`;
      if (tried.has(variant)) continue;
      tried.add(variant);
      const folder = await sandbox.newDataDir();
      let writes = 0;
      const blobs = new InstrumentedBlobStore(new FileBlobStore(folder), ({ operation }) => {
        if (operation === 'write') writes++;
      });
      if (mark !== undefined) await writeFile(path.join(folder, BLOB_STORE_MARKER), mark);
      await client.query('update blob_store set is_marked = $1', [isMarked]);
      await bindStore(client, blobs);
      await assertBoundStore(client, blobs);
      // A mark that looks whole may not be flushed: a killed process leaves what a power cut would take.
      assert.equal(writes, isMarked ? 0 : 1);
    }
    assert.ok(tried.size > 4, `${tried.size} marks`);
  });

  it('leaves only blobs that the next service collects or needs', async () => {
    const all = [...uploads.values()];
    const keys = [BLOB_STORE_MARKER, ...all.map(({ key }) => key)].map((key) => `${BLOBS}/${key}`);
    const leftIn = ({ tree }: CrashState) =>
      [...tree()].flatMap(([place, content]) =>
        content === undefined || keys.includes(place) ? [] : [content],
      );
    const isZeros = (content: Buffer) => content.length > 0 && content.every((byte) => byte === 0);
    const cut = findCut(
      cuts(allMoments()),
      ({ state, acknowledged }) =>
        acknowledged.length === acknowledgments.length && leftIn(state).some(isZeros),
    );
    const folder = new StateFolder(await sandbox.newDataDir());
    await folder.show(cut.state.tree());
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
    assert.equal(report.orphan_blobs.count, leftIn(cut.state).length);
    const left = (await blobsOf(dataDir)).map((file) => path.relative(folder.path, file));
    assert.deepEqual(left.sort(), keys.sort());
  });
});

function findCut(cuts: Iterable<Cut>, isWanted: (cut: Cut) => boolean): Cut {
  for (const cut of cuts) if (isWanted(cut)) return cut;
  throw new Error('no power cut leaves such a state');
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
    .map(([place, content]) =>
      content === undefined ? `${place}/` : `${place} ${content.length} bytes, CRC-32 ${crc32(content)}`,
    )
    .sort();
}

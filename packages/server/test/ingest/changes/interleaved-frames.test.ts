import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import type { Client } from '../../support/client.ts';
import { type HeldService, joinHeldService, processFrame } from '../../support/held-jobs.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import type { SharedService } from '../../support/lanes.ts';
import { pickFrom, randomNumbers } from '../../support/random-numbers.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';
import { COVERAGES, type Observation, recordOf, SEVERITIES, STATUSES } from './changes-oracle.ts';

const SEEDS = isWholeRun ? 30 : 1;
const UPLOADS = 6;
const FRAME_RECORDS = 5000;
const RESOURCES = ['one', 'two', 'three'];
/** Not a finding. Fills frames; the service rejects it. */
const FILLER = 0;

interface Upload {
  readonly coverage: (typeof COVERAGES)[number];
  /** The records of each frame. */
  readonly frames: readonly (readonly Observation[])[];
}

/** An upload with several frames has invalid records, so that it cannot be complete. */
function randomUpload(random: (below: number) => number): Upload {
  const pick = <Value>(values: readonly Value[]) => pickFrom(random, values);
  const frames = Array.from({ length: 1 + random(3) }, () =>
    Array.from({ length: random(5) }, () => ({
      check: 'check-1',
      resource: pick(RESOURCES),
      time: random(12),
      status: pick(STATUSES),
      muted: random(5) === 0,
      severity: pick(SEVERITIES),
    })),
  );
  return { coverage: frames.length > 1 ? 'partial' : pick(COVERAGES), frames };
}

function shuffled<Value>(random: (below: number) => number, values: Iterable<Value>): Value[] {
  const places = Array.from(values, (value) => ({ value, place: random(1000) }));
  return places.sort((a, b) => a.place - b.place).map(({ value }) => value);
}

/** The frames of all uploads in random order. The end of an upload is processed like a frame, after the others. */
function randomOrder(
  random: (below: number) => number,
  uploads: readonly Upload[],
): readonly (readonly [upload: number, frame: number])[] {
  const remaining = uploads.map(({ coverage, frames }) =>
    coverage === 'partial' ? shuffled(random, frames.keys()) : [0, 1],
  );
  const order: [number, number][] = [];
  while (remaining.some((frames) => frames.length > 0)) {
    const upload = random(uploads.length);
    const frame = remaining[upload]?.shift();
    if (frame !== undefined) order.push([upload, frame]);
  }
  return order;
}

describe('the counts of changes', () => {
  let held: HeldService;
  let service: SharedService;
  let client: Client;
  let session: pg.Client;
  before(async () => {
    held = await joinHeldService();
    ({ service, client, session } = held);
  });
  after(() => held.leave());

  async function accept(account: string, { coverage, frames }: Upload): Promise<string> {
    const records = frames.flatMap((observations, frame) => {
      const fillers = frame < frames.length - 1 ? FRAME_RECORDS - observations.length : 0;
      return [
        ...observations.map((one) => recordOf(account, one)),
        ...Array.from({ length: fillers }, () => FILLER),
      ];
    });
    const { status, body } = await client.upload(records, { parts: { coverage } });
    assert.equal(status, 202);
    return body.data.id;
  }

  it('are complete after an upload with late records, and with a frame without any findings', async () => {
    const account = 'empty-frame';
    const seenAt = (time: number): Observation => ({
      check: 'check-1',
      resource: 'one',
      time,
      status: 'FAIL',
      muted: false,
      severity: 'high',
    });
    const newer = await accept(account, { coverage: 'partial', frames: [[seenAt(5)]] });
    const late = await accept(account, { coverage: 'partial', frames: [[seenAt(1)], [], [seenAt(2)]] });
    await processFrame(session, newer, 0);
    for (const frame of [0, 1, 2]) await processFrame(session, late, frame);
    const { body } = await client.get<{ attributes: { status: string } }>(`/ingestions/${late}`);
    assert.equal(body.data.attributes.status, 'failed');
    await assertTrueCounts(service);
  });

  for (let seed = 6; seed < 6 + SEEDS; seed++)
    it(`are those of the findings after uploads whose frames are processed in the order of seed ${seed}`, async () => {
      const random = randomNumbers(seed);
      const uploads = Array.from({ length: UPLOADS }, () => randomUpload(random));
      const ids: string[] = [];
      for (const upload of uploads) ids.push(await accept(`seed-${seed}`, upload));
      for (const [upload, frame] of randomOrder(random, uploads)) {
        await processFrame(session, ids[upload] ?? '', frame);
        await assertTrueCounts(service);
      }
    });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { assertOutcome, findingsOf } from '../../support/job-outcome.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { recordCases, type Stored } from '../../support/record-cases.ts';
import { record, without } from '../../support/records.ts';

/** Tests the result, severity and time of a record (`docs/ingesting.md`). */
describe('status, severity and time of a finding', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const { stores, rejects } = recordCases(() => ({ service, client }));

  it('maps status_code in any case to PASS, FAIL or MANUAL, and MUTED to a muted FAIL', () =>
    stores(
      [
        [record({ status_code: 'PASS' }), ['PASS', false]],
        [record({ status_code: 'FAIL' }), ['FAIL', false]],
        [record({ status_code: 'MANUAL' }), ['MANUAL', false]],
        [record({ status_code: 'fail' }), ['FAIL', false]],
        [record({ status_code: 'Muted' }), ['FAIL', true]],
        [record({ status_code: 'MUTED' }), ['FAIL', true]],
      ],
      ({ status, muted }) => [status, muted],
    ));

  it('mutes a finding with status_id 3, regardless of its status_code', () =>
    stores(
      [
        [record({ status_code: 'PASS', status_id: 3 }), ['PASS', true]],
        [record({ status_code: 'FAIL', status_id: 3 }), ['FAIL', true]],
        [record({ status_code: 'MUTED', status_id: 1 }), ['FAIL', true]],
        [record({ status_id: 2 }), ['FAIL', false]],
        [record({ status_id: '3' }), ['FAIL', true]],
        [record({ status: 'Suppressed' }), ['FAIL', false]],
        [without('status_id'), ['FAIL', false]],
      ],
      ({ status, muted }) => [status, muted],
    ));

  it('rejects a record whose status_code is missing or unknown', () =>
    rejects([
      [without('status_code'), 'required', '/status_code', /Set status_code to PASS, FAIL, MANUAL or MUTED/],
      [record({ status_code: null }), 'required', '/status_code', /has no status/],
      [
        record({ status_code: 'WARN' }),
        'invalid_value',
        '/status_code',
        /Expected PASS, FAIL, MANUAL or MUTED, got the string "WARN"/,
      ],
      [record({ status_code: 'failed' }), 'invalid_value', '/status_code', /the string "failed"/],
      [record({ status_code: '' }), 'required', '/status_code', /has no status/],
      [
        record({ status_code: 1 }),
        'invalid_type',
        '/status_code',
        /Expected PASS, FAIL, MANUAL or MUTED, got the number 1/,
      ],
    ]));

  it('reads the severity from severity_id', () =>
    stores(
      [0, 1, 2, 3, 4, 5, 6, 99].map((id) => [record({ severity_id: id, severity: 'Low' }), id]),
      ({ severity }) => severity,
    ));

  it('falls back to the severity name when severity_id is missing or unknown', () => {
    const byName = (severity: unknown) => without('severity_id', record({ severity }));
    return stores<number>(
      [
        [byName('Unknown'), 0],
        [byName('Informational'), 1],
        [byName('low'), 2],
        [byName(' MEDIUM '), 3],
        [byName('High'), 4],
        [byName('Critical'), 5],
        [byName('Fatal'), 6],
        [byName('Other'), 99],
        [record({ severity_id: 17, severity: 'Low' }), 2],
        [record({ severity_id: '5', severity: 'Low' }), 5],
        [record({ severity_id: 'high', severity: 'Low' }), 2],
        [record({ severity_id: null, severity: 'Low' }), 2],
      ],
      ({ severity }) => severity,
    );
  });

  it('stores an unknown severity when both severity_id and severity are missing or unknown', () =>
    stores(
      [
        [record({ severity_id: 17, severity: 'Terrible' }), 0],
        [without('severity', record({ severity_id: -1 })), 0],
        [without('severity', without('severity_id')), 0],
        [without('severity_id', record({ severity: 4 })), 0],
      ],
      ({ severity }) => severity,
    ));

  it('reads the time of a record in seconds, in milliseconds or as ISO 8601 text', () => {
    const at = (time: unknown, iso: string): Stored<string> => [record({ time }), iso];
    return stores(
      [
        at(0, '1970-01-01T00:00:00.000Z'),
        at(1_780_000_000, '2026-05-28T20:26:40.000Z'),
        at(1_780_000_000.25, '2026-05-28T20:26:40.250Z'),
        at(1_780_000_000_123, '2026-05-28T20:26:40.123Z'),
        // A number below 1e11 would be read as seconds.
        at(100_000_000_000, '1973-03-03T09:46:40.000Z'),
        at('1780000000', '2026-05-28T20:26:40.000Z'),
        at('1780000000123', '2026-05-28T20:26:40.123Z'),
        at('2026-05-28T20:26:40Z', '2026-05-28T20:26:40.000Z'),
        at('2026-05-28T22:26:40.5+02:00', '2026-05-28T20:26:40.500Z'),
        at('2026-05-28T22:26:40+0200', '2026-05-28T20:26:40.000Z'),
        at('2026-05-28 20:26:40.123456', '2026-05-28T20:26:40.123Z'),
        at(' 2026-05-28T20:26 ', '2026-05-28T20:26:00.000Z'),
        at('2026-05-28', '2026-05-28T00:00:00.000Z'),
      ],
      ({ last_seen_at }) => last_seen_at.toISOString(),
    );
  });

  it('reads the time from time, finding_info.created_time or time_dt, in this order', () => {
    const times = (time: unknown, created_time: unknown, time_dt: unknown) =>
      record({ time, finding_info: { created_time }, time_dt });
    const [first, second, third] = [1_780_000_001, 1_780_000_002, '2026-05-28T20:26:43Z'];
    const iso = (seconds: number) => `2026-05-28T20:26:${40 + seconds}.000Z`;
    return stores(
      [
        [times(first, second, third), iso(1)],
        [times(undefined, second, third), iso(2)],
        [times(null, second, third), iso(2)],
        [times('yesterday', second, third), iso(2)],
        [times('1780000001', second, third), iso(1)],
        [times(-1, second, third), iso(2)],
        [times(1e18, second, third), iso(2)],
        [times([first], `2026-05-28T20:26:42Z`, third), iso(2)],
        [times(undefined, undefined, third), iso(3)],
        [times({}, 'never', third), iso(3)],
        [times('2026-13-01', '2026-02-30T00:00:00Z', third), iso(3)],
      ],
      ({ last_seen_at }) => last_seen_at.toISOString(),
    );
  });

  it('uses the upload time for a record without a valid time', async () => {
    const job = await client.ingest([
      without('time', record({ finding_info: { uid: 'timeless' } })),
      record({ time: 'yesterday', finding_info: { uid: 'wrong', created_time: false }, time_dt: '' }),
    ]);
    await assertOutcome(client, job, { total: 2, invalid: 0, errors: [] });
    const requested = new Date(job.attributes.requested_at);
    const findings = await findingsOf(service, job);
    assert.deepEqual(
      findings.map(({ uid, last_seen_at }) => [uid, last_seen_at]),
      [
        ['timeless', requested],
        ['wrong', requested],
      ],
    );
  });
});

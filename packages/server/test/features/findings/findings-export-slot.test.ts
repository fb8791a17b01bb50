import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient, readResponse } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { parseCsvTable } from '../../support/parse-csv.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { until } from '../../support/until.ts';

const COUNT = 400;
/** An export with this text in each line is far larger than the buffers between the service and its client. */
const RISK = 'A long text. '.repeat(5000);

describe('simultaneous exports', () => {
  let service: SharedService;
  let second: SecondTenant;
  before(async () => {
    service = await joinService();
    second = await createSecondTenant(service);
    const client = createClient(service.url, service.key);
    const records = Array.from({ length: COUNT }, (_, at) => record({ finding_info: { uid: `uid-${at}` } }));
    await client.ingest(records);
    // The check has the texts of its latest record.
    await client.ingest([
      record({ finding_info: { uid: 'uid-0' }, time: 1_780_000_001, risk_details: RISK }),
    ]);
    await second.client.ingest([record()]);
  });
  after(() => service.leave());

  const startExport = (key: string, signal?: AbortSignal) =>
    fetch(`${service.url}/api/v1/findings/export?format=csv`, {
      headers: { authorization: `Api-Key ${key}` },
      ...(signal && { signal }),
    });
  /** Starts an export and does not read its content, so that it stays in progress. */
  const startUnreadExport = async (signal?: AbortSignal) => {
    const response = await startExport(service.key, signal);
    assert.equal(response.status, 200);
    return response;
  };
  const assertRejected = async () => {
    const response = await startExport(service.key);
    assert.equal(response.headers.get('retry-after'), '10');
    const { status, body } = await readResponse(response);
    assert.deepEqual([status, body.errors[0]?.code], [429, 'too_many_exports']);
    assert.match(body.errors[0]?.detail ?? '', /^Another export of this tenant is in progress\./);
  };
  const assertComplete = async (response: Response) => {
    assert.equal(response.status, 200);
    const rows = parseCsvTable(await response.text());
    assert.equal(new Set(rows.map(({ uid }) => uid)).size, COUNT);
  };

  it('rejects further exports of a tenant with 429 until the first one has ended', async () => {
    const first = await startUnreadExport();
    await assertRejected();
    await assertRejected();
    await assertComplete(first);
    await assertComplete(await startExport(service.key));
  });

  it('rejects further exports of a tenant with 429 until the client of the first one has disconnected', async () => {
    const client = new AbortController();
    const first = await startUnreadExport(client.signal);
    await assertRejected();
    client.abort();
    await assert.rejects(first.text());
    const next = await until(async () => {
      const response = await startExport(service.key);
      if (response.status === 200) return response;
      await response.text();
      return undefined;
    });
    await assertComplete(next);
  });

  it('runs exports of different tenants at the same time', async () => {
    const client = new AbortController();
    await startUnreadExport(client.signal);
    const other = await startExport(second.key);
    assert.equal(other.status, 200);
    assert.equal(parseCsvTable(await other.text()).length, 1);
    client.abort();
  });
});

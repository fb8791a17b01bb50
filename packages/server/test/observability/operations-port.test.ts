import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../support/client.ts';
import { createDeployment, createTenantKey, type Deployment } from '../support/deployment.ts';
import { scrape } from '../support/prometheus.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

describe('the operations port', () => {
  const sandbox = createSandbox();
  let deployment: Deployment;
  before(async () => {
    deployment = await createDeployment(sandbox);
  });
  after(() => sandbox.clear());

  const operationsOf = ({ output }: { readonly output: { readonly stdout: string } }) =>
    /Metrics and health checks are at (\S+)/.exec(output.stdout)?.[1] ?? assert.fail(output.stdout);
  const status = async (url: string) => (await fetch(url)).status;

  it('serves the metrics and health checks of API and worker processes on the operations port', async () => {
    const settings = { SLUICE_OPERATIONS_PORT: '0' };
    const [api, worker] = [await deployment.startApi(settings), await deployment.startWorker(settings)];
    const [apiOperations, workerOperations] = [operationsOf(api), operationsOf(worker)];
    await until(async () => (await status(`${workerOperations}/health/ready`)) === 200);
    await createClient(api.url, await createTenantKey(api)).ingest([record()]);

    // The worker reports the frame a moment after the job has ended.
    const processed = await until(async () => {
      const scraped = await scrape(workerOperations);
      return scraped.value('sluice_records_processed_total') === 1 && scraped;
    });
    assert.equal(processed.value('sluice_http_request_duration_seconds_count'), undefined);
    assert.equal(processed.value('sluice_database_up'), 1);
    const operations = 'sluice_blob_store_operation_duration_seconds_count';
    assert.equal(processed.value(operations, { operation: 'write' }), undefined);
    assert.ok(Number(processed.value(operations, { operation: 'read' })) >= 1);
    const scraped = await scrape(apiOperations);
    assert.equal(scraped.value('sluice_records_processed_total'), 0);
    // One write is the upload; the other is the blob store marker.
    assert.equal(scraped.value(operations, { operation: 'write' }), 2);
    assert.equal(scraped.value('sluice_http_request_duration_seconds_count', { status: '202' }), 1);

    assert.equal(await status(`${api.url}/metrics`), 404);
    for (const url of [api.url, apiOperations, workerOperations]) {
      assert.equal(await status(`${url}/health/live`), 200);
      assert.equal(await status(`${url}/health/ready`), 200);
    }
    assert.equal(await status(`${workerOperations}/api/v1/ingestions`), 404);
  });

  it('reports an operations port that is in use or invalid', async () => {
    const usedPort = new URL((await deployment.startApi()).url).port;
    const settings = { SLUICE_OPERATIONS_PORT: usedPort };
    await assert.rejects(
      deployment.startApi(settings),
      new RegExp(
        `cannot listen on 127\\.0\\.0\\.1 port ${usedPort}: the port is in use; change SLUICE_OPERATIONS_PORT`,
      ),
    );
    const { code, stderr } = await sandbox.sluice(await sandbox.newDataDir(), ['serve'], {
      SLUICE_OPERATIONS_PORT: '70000',
    });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^sluice: SLUICE_OPERATIONS_PORT must be a whole number from 0 to 65535, not '70000'/,
    );
  });
});

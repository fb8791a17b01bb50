import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../../support/client.ts';
import { createDeployment, createTenantKey, type Deployment } from '../../support/deployment.ts';
import { isWholeRun, itInWholeRun } from '../../support/is-whole-run.ts';
import { joinService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { createSandbox } from '../../support/sandbox.ts';
import {
  type CollectedSpan,
  startTraceCollector,
  type TraceCollector,
} from '../../support/trace-collector.ts';
import { until } from '../../support/until.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLIENT_SPAN = '00f067aa0ba902b7';
const STOP_MS = 10_000;
/** By default, the SDK sends spans every five seconds. */
const AT_ONCE = { OTEL_BSP_SCHEDULE_DELAY: '50' };

describe('traces', () => {
  const sandbox = createSandbox();
  const collectors: TraceCollector[] = [];
  let deployment: Deployment;
  before(async () => {
    deployment = await createDeployment(sandbox);
  });
  after(async () => {
    await sandbox.clear();
    for (const collector of collectors) await collector.close();
  });

  const collector = async (options = {}) => {
    const started = await startTraceCollector(options);
    collectors.push(started);
    return started;
  };
  const records = (count: number) =>
    Array.from({ length: count }, (_, at) => record({ finding_info: { uid: `finding-${at}` } }));

  it("traces an upload from the client through the API to the worker's frames", async () => {
    const { url, spans, headers } = await collector();
    const settings = {
      ...AT_ONCE,
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=of-the-collector',
    };
    const api = await deployment.startApi(settings);
    const worker = await deployment.startWorker({ ...settings, OTEL_SERVICE_NAME: 'sluice-worker' });
    const client = createClient(api.url, await createTenantKey(api));
    const { body } = await client.upload(records(5001), {
      headers: { traceparent: `00-${TRACE}-${CLIENT_SPAN}-01`, 'x-request-id': 'traced' },
    });
    const spansOfTrace = () => spans.filter(({ traceId }) => traceId === TRACE);
    const spansNamed = (name: string) => spansOfTrace().filter((span) => span.name === name);
    const spanNamed = (name: string): CollectedSpan => {
      const [span, ...others] = spansNamed(name);
      assert.deepEqual(others, [], name);
      return span ?? assert.fail(`missing span ${name}`);
    };
    await client.ended(body.data.id);
    await until(
      async () =>
        spansNamed('process frame').length === 2 && spansNamed('POST /api/v1/ingestions').length === 1,
    );

    const request = spanNamed('POST /api/v1/ingestions');
    assert.equal(request.parentSpanId, CLIENT_SPAN);
    assert.equal(request.service, 'sluice');
    assert.partialDeepStrictEqual(request.attributes, {
      'http.request.method': 'POST',
      'http.route': '/api/v1/ingestions',
      'http.response.status_code': 202,
      'sluice.request.id': 'traced',
      'sluice.ingestion.id': body.data.id,
    });
    for (const step of ['store file', 'commit']) assert.equal(spanNamed(step).parentSpanId, request.spanId);
    const frames = spansNamed('process frame');
    assert.deepEqual(frames.map(({ attributes }) => attributes['sluice.frame']).sort(), [0, 1]);
    for (const frame of frames) {
      assert.deepEqual([frame.parentSpanId, frame.service], [request.spanId, 'sluice-worker']);
      assert.equal(frame.attributes['sluice.ingestion.id'], body.data.id);
      const steps = spansOfTrace().filter(({ parentSpanId }) => parentSpanId === frame.spanId);
      assert.deepEqual(steps.map(({ name }) => name).sort(), [
        'finish frame',
        'merge frame',
        'parse frame',
        'read frame',
      ]);
    }
    assert.equal(headers()['x-token'], 'of-the-collector');
    assert.ok(spansOfTrace().every(({ isError }) => !isError));

    // A request without trace context starts a new trace; a health check is not traced.
    await fetch(`${api.url}/health/ready`);
    await client.get('/limits');
    const limits = () => spans.find(({ name }) => name === 'GET /api/v1/limits');
    await until(async () => limits() !== undefined);
    assert.equal(limits()?.parentSpanId, '');
    assert.notEqual(limits()?.traceId, TRACE);
    assert.deepEqual(
      spans.filter(({ name }) => name.includes('/health/')),
      [],
    );
    worker.signal('SIGTERM');
    assert.equal((await worker.ended).code, 0);
    assert.equal(await api.end(), 0);
  });

  itInWholeRun('exports all spans before the process exits', async () => {
    const { url, spans } = await collector();
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '600000' };
    const service = await sandbox.startService(settings);
    const { id } = await createClient(service.url, service.key).ingest([record()]);
    assert.deepEqual(spans, []);
    assert.equal(await service.end(), 0);
    const ofUpload = spans.filter(({ attributes }) => attributes['sluice.ingestion.id'] === id);
    assert.deepEqual(ofUpload.map(({ name }) => name).sort(), ['POST /api/v1/ingestions', 'process frame']);
  });

  const UNREACHABLE = 'http://127.0.0.1:1';
  for (const [how, urlOf] of [
    ...(isWholeRun ? [['is unreachable', async () => UNREACHABLE] as const] : []),
    ['never responds', async () => (await collector({ isSilent: true })).url],
  ] as const) {
    itInWholeRun(
      `ingests uploads and shuts down within 10 seconds when the trace collector ${how}`,
      async () => {
        const settings = { ...AT_ONCE, SLUICE_WORKERS: '1', OTEL_EXPORTER_OTLP_ENDPOINT: await urlOf() };
        const service = await sandbox.startService(settings);
        const client = createClient(service.url, service.key);
        for (let upload = 0; upload < 5; upload++) {
          const { attributes } = await client.ingest([record()]);
          assert.equal(attributes.status, 'completed');
        }
        await until(async () => service.output.stderr.includes('traces could not be sent'));
        const warnings = service.output.stderr
          .split('\n')
          .filter((line) => line.includes('could not be sent'));
        // Each thread logs one message, not one message per batch.
        assert.ok(warnings.length <= 2, warnings.join('\n'));
        const from = performance.now();
        assert.equal(await service.end(), 0);
        assert.ok(performance.now() - from < STOP_MS, 'the shutdown took too long');
      },
    );
  }

  it("stores a client's trace context even if the service does not export traces", async () => {
    const service = await joinService();
    const client = createClient(service.url, service.key);
    const stored = async (traceparent?: string) => {
      const headers = traceparent === undefined ? {} : { traceparent };
      const { body } = await client.upload([record()], { headers });
      const rows = await service.sql('select traceparent from ingestions where id = $1', [body.data.id]);
      return rows[0]?.traceparent;
    };
    const valid = `00-${TRACE}-${CLIENT_SPAN}-01`;
    assert.equal(await stored(valid), valid);
    for (const invalid of ['x', `00-${'0'.repeat(32)}-${CLIENT_SPAN}-01`, `ff-${TRACE}-${CLIENT_SPAN}-01`])
      assert.equal(await stored(invalid), null, invalid);
    assert.equal(await stored(), null);
    await service.leave();
  });

  it('rejects an OTEL_EXPORTER_OTLP_ENDPOINT without http:// or https://', async () => {
    const { code, stderr } = await sandbox.sluice(await sandbox.newDataDir(), ['serve'], {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^sluice: OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that starts with http:\/\/ or https:\/\//,
    );
  });
});

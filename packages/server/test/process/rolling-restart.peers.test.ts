import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { Pool } from 'undici';
import { createDeployment, createTenantKey } from '../support/deployment.ts';
import { filePart, MULTIPART_TYPE, multipart } from '../support/multipart.ts';
import { freePort } from '../support/own-postgresql.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const DRAIN_SECONDS = 3;
/** Not too short, because a slow check on a busy machine would take a healthy server out of rotation. */
const CHECK_MS = 500;
const CLIENTS = 8;
/** Requests per measurement of the load distribution; half of them are list requests. */
const WINDOW = 80;

interface Proxy {
  readonly name: string;
  readonly program: string;
  readonly args: (config: string) => readonly string[];
  /** Returns a configuration like the one in docs/operating.md, which never retries requests. */
  readonly config: (port: number, backends: readonly number[]) => string;
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'haproxy',
    program: '/usr/sbin/haproxy',
    args: (config) => ['-db', '-f', config],
    config: (port, backends) => `
defaults
  mode http
  retries 0
  timeout connect 5s
  timeout check 5s
  timeout client 60s
  timeout server 60s
frontend public
  bind 127.0.0.1:${port}
  default_backend sluice
backend sluice
  balance roundrobin
  option httpchk GET /health/ready
  http-reuse always
${backends.map((backend) => `  server s${backend} 127.0.0.1:${backend} check inter ${CHECK_MS}ms fall 1 rise 1`).join('\n')}
`,
  },
  {
    name: 'caddy',
    program: '/usr/bin/caddy',
    args: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
    config: (port, backends) => `
{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
  reverse_proxy ${backends.map((backend) => `127.0.0.1:${backend}`).join(' ')} {
    lb_policy least_conn
    health_uri /health/ready
    health_interval ${CHECK_MS}ms
  }
}
`,
  },
];

// Each proxy distributes requests to two API processes, which are restarted one after the other.
describe('a rolling restart', () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  for (const { name, program, args, config } of PROXIES)
    it(`serves all requests during a rolling restart behind ${name}`, {
      skip: !existsSync(program) && `${name} is not installed`,
    }, async () => {
      const folder = await sandbox.newDataDir();
      const deployment = await createDeployment(sandbox);
      const ports = [await freePort(), await freePort()];
      const start = (port: number) =>
        deployment.startApi({ PORT: String(port), SLUICE_DRAIN_SECONDS: String(DRAIN_SECONDS) });
      const services = new Map<number, Service>();
      for (const port of ports) services.set(port, await start(port));
      const key = await createTenantKey([...services.values()][0] as Service);

      const publicPort = await freePort();
      const configFile = path.join(folder, 'proxy.conf');
      await writeFile(configFile, config(publicPort, ports));
      const proxy = sandbox.startProcess(program, args(configFile), { env: { HOME: folder } });
      const url = `http://127.0.0.1:${publicPort}`;
      await until(async () => (await fetch(`${url}/health/live`).catch(() => undefined))?.status === 200);

      const load = startLoad(url, key);
      try {
        for (const port of ports) {
          await load.more(100);
          assert.equal(await services.get(port)?.end('SIGTERM'), 0);
          services.set(port, await start(port));
          await waitUntilBalanced(load, [...services.values()]);
        }
        await load.more(100);
      } finally {
        await load.stop();
      }
      assert.deepEqual(load.failures.slice(0, 10), [], proxy.output.stderr.slice(-2000));
    });
});

interface Load {
  /** One message per failed request. */
  readonly failures: readonly string[];
  /** Waits for this many more requests. */
  readonly more: (count: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts clients that alternate between upload and list requests on persistent connections. */
function startLoad(url: string, key: string): Load {
  const pool = new Pool(url, { connections: CLIENTS });
  const failures: string[] = [];
  let ended = 0;
  let isOver = false;
  const upload = {
    method: 'POST',
    body: multipart([filePart(JSON.stringify([record()]))]),
    type: { 'content-type': MULTIPART_TYPE },
  } as const;
  const list = { method: 'GET', body: null, type: {} } as const;
  const send = async ({ method, body, type }: typeof upload | typeof list) => {
    const headers = { authorization: `Api-Key ${key}`, ...type };
    const response = await pool.request({ method, path: '/api/v1/ingestions', headers, body });
    const text = await response.body.text();
    // The error comes from the service, or from a proxy without an available server.
    if (response.statusCode >= 300) failures.push(`${method}: ${response.statusCode} ${text.slice(0, 200)}`);
  };
  const client = async () => {
    while (!isOver) {
      for (const request of [upload, list])
        await send(request).catch((error: unknown) => failures.push(`${request.method}: ${error}`));
      ended += 2;
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    failures,
    more: async (count) => {
      const target = ended + count;
      await until(async () => ended >= target);
    },
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
      await pool.close();
    },
  };
}

/**
 * Waits until the proxy has distributed the load among all services for a while, because a late health check of the
 * old process can take the new process out of rotation again.
 */
async function waitUntilBalanced(load: Load, services: readonly Service[]): Promise<void> {
  const served = () => Promise.all(services.map(servedLists));
  let windows = 0;
  await until(async () => {
    const before = await served();
    await load.more(WINDOW);
    const share = (await served()).map((count, at) => count - (before[at] ?? 0));
    windows = share.every((count) => count >= WINDOW / 8) ? windows + 1 : 0;
    return windows === 5;
  });
}

/** Returns the number of list requests that a service has handled since it started. */
async function servedLists({ url }: Service): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counts = [
    ...metrics.matchAll(/_seconds_count\{[^}]*method="GET"[^}]*route="\/api\/v1\/ingestions"[^}]*\} (\d+)/g),
  ];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.ts';
import { collectAllGarbage } from '../lib/reclaim-memory.ts';
import { createLog } from '../observability/log.ts';
import type { Role } from '../process/component.ts';
import { type RunningServer, startServer } from '../process/server.ts';
import { stopSignal } from '../process/stop-signal.ts';

/**
 * Runs the server until SIGTERM or SIGINT. After SIGTERM, a ready API continues to accept requests for
 * `SLUICE_DRAIN_SECONDS`. A second signal ends the drain, and a third signal ends the process immediately. Logs the
 * warnings first.
 */
export async function runServer(role: Role, config: Config, warnings: readonly string[]): Promise<void> {
  // Messages for users go to stdout, the JSON log to stderr.
  const log = createLog(config.logLevel, null);
  for (const warning of warnings) log.warn(warning);
  let isReady = false;
  // Registered before the database starts, because a signal during its startup must not leave it running.
  const stopping = stopSignal(log, (signal) =>
    isReady && signal === 'SIGTERM' && role !== 'worker' ? config.drainSeconds : 0,
  );
  const server = await startServer(role, config, log);
  collectAllGarbage();
  process.stdout.write(
    `${welcome(server)}${describeOperations(server)}Sluice is ready ${describeEndpoint(server, config)}\n`,
  );
  isReady = true;

  const { drained, done } = await stopping;
  server.drain();
  await drained;
  await server.stop();
  done();
  log.info('stopped');
}

function describeEndpoint({ url }: RunningServer, { workers }: Config): string {
  if (url !== undefined) return `at ${url}`;
  return workers === 1 ? 'with 1 worker thread' : `with ${workers} worker threads`;
}

function describeOperations({ operationsUrl }: RunningServer): string {
  return operationsUrl === undefined ? '' : `Metrics and health checks are at ${operationsUrl}\n`;
}

function welcome({ firstTenant, url, database }: RunningServer): string {
  if (firstTenant !== undefined) {
    return `
Welcome to Sluice. A tenant, a user with all permissions and an API key have been created for you.

  Tenant   ${firstTenant.tenantId}
  User     ${firstTenant.email}
  API key  ${firstTenant.key}

You won't be able to see the key again. Sign in with it at ${url}/, or upload a file:

  curl -sS -H 'Authorization: Api-Key ${firstTenant.key}' -F 'file=@${exampleFile()}' ${url}/api/v1/ingestions

Then check its status:

  curl -sS -H 'Authorization: Api-Key ${firstTenant.key}' ${url}/api/v1/ingestions

`;
  }
  if (!database.embedded && database.applied.length > 0) {
    return 'The database schema has been migrated. To create a tenant, run: sluice tenant create NAME\n';
  }
  return '';
}

/** Returns the path of the example file in a checkout, otherwise a placeholder. */
function exampleFile(): string {
  const example = fileURLToPath(new URL('../../../../examples/findings.ocsf.json', import.meta.url));
  if (!existsSync(example)) return 'FILE.ocsf.json';
  const relative = path.relative(process.cwd(), example);
  return relative.startsWith('..') ? example : relative;
}

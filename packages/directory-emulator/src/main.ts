import { parseArgs } from 'node:util';
import type { AdminRole, EmulatorOptions, RateLimit } from './options.ts';
import { ORGANIZATION_NAMES, type OrganizationName } from './organization/read-organization.ts';
import { startEmulator } from './start-emulator.ts';

const ROLES = ['read-only', 'super-admin', 'none'] as const;
const DIALECTS = ['directory', 'okta'] as const;
const DPOP_MODES = ['required', 'optional', 'off'] as const;

const USAGE = `Usage: npm run emulator -- [flags]

  --organization NAME     ${ORGANIZATION_NAMES.join(', ')}; default compliant
  --role ROLE             admin role of the service app: ${ROLES.join(', ')}; default super-admin
  --port PORT             default: any free port
  --rate-limit N/SECONDS  requests to the management API per window: 100/60; default: as good as none
  --dpop MODE             ${DPOP_MODES.join(', ')}; default required
  --require-nonce         every DPoP proof must have a nonce of the server
  --dialect NAME          ${DIALECTS.join(', ')}; default directory
`;

/** The command line is wrong. */
class UsageError extends Error {}

function readFlags(words: string[]): EmulatorOptions {
  const { values } = parse(words);
  const role: AdminRole = oneOf(ROLES, values.role, 'role');
  const organization: OrganizationName = oneOf(ORGANIZATION_NAMES, values.organization, 'organization');
  const rateLimit = values['rate-limit'];
  return {
    organization,
    role,
    port: portOf(values.port),
    dpop: oneOf(DPOP_MODES, values.dpop, 'dpop'),
    dialect: oneOf(DIALECTS, values.dialect, 'dialect'),
    requireNonce: values['require-nonce'],
    ...(rateLimit === undefined ? {} : { rateLimit: rateLimitOf(rateLimit) }),
  };
}

function parse(words: string[]) {
  try {
    return parseArgs({
      args: words,
      options: {
        organization: { type: 'string', default: 'compliant' },
        role: { type: 'string', default: 'super-admin' },
        port: { type: 'string', default: '0' },
        'rate-limit': { type: 'string' },
        dpop: { type: 'string', default: 'required' },
        'require-nonce': { type: 'boolean', default: false },
        dialect: { type: 'string', default: 'directory' },
      },
    });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function oneOf<const Word extends string>(known: readonly Word[], given: string, flag: string): Word {
  const found = known.find((word) => word === given);
  if (found === undefined) throw new UsageError(`--${flag} is one of ${known.join(', ')}, not '${given}'`);
  return found;
}

function portOf(given: string): number {
  const port = Number(given);
  if (given === '' || !Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port is a number from 0 to 65535, not '${given}'`);
  return port;
}

function rateLimitOf(given: string): RateLimit {
  const [, requests, seconds] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(given) ?? [];
  if (requests === undefined || seconds === undefined)
    throw new UsageError(`--rate-limit is REQUESTS/SECONDS, such as 100/60, not '${given}'`);
  return { requestsPerWindow: Number(requests), windowSeconds: Number(seconds) };
}

/** In one line each: the scanner takes a key with escaped newlines. */
function exports(environment: Record<string, string>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value.trim().replaceAll('\n', '\\n')}'\n`)
    .join('');
}

async function main(words: string[]): Promise<void> {
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(USAGE);
    return;
  }
  const options = readFlags(words);
  const emulator = await startEmulator(options);
  process.stdout.write(exports(emulator.environment()));
  process.stderr.write(`\n${emulator.organization.name} organization at ${emulator.url}; Ctrl-C ends it.\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => emulator.stop());
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const wrongUse = error instanceof UsageError;
  process.stderr.write(`emulator: ${message}\n${wrongUse ? `\n${USAGE}` : ''}`);
  process.exitCode = wrongUse ? 2 : 1;
}

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type AdminRole, type EmulatorOptions, OKTA_SCOPE_RESOURCES, type RateLimit } from './options.ts';
import { ORGANIZATION_NAMES, type OrganizationName } from './organization/read-organization.ts';
import { originOf } from './public-origin.ts';

const ROLES = ['read-only', 'super-admin', 'none'] as const;
const DIALECTS = ['directory', 'okta'] as const;
const DPOP_MODES = ['required', 'optional', 'off'] as const;

export const USAGE = `Usage: npm run emulator -- [flags]

  --organization NAME     ${ORGANIZATION_NAMES.join(', ')}; default compliant
  --role ROLE             admin role of the service app: ${ROLES.join(', ')}; default super-admin
  --port PORT             default: any free port
  --rate-limit N/SECONDS  requests to the management API per window: 100/60; default: as good as none
  --dpop MODE             ${DPOP_MODES.join(', ')}; default required
  --require-nonce         every DPoP proof must have a nonce of the server
  --dialect NAME          ${DIALECTS.join(', ')}; default directory
  --public-url URL        origin that clients use, such as https://acme.example; default: where it listens
  --tls-key FILE          private key (PEM) to listen with TLS; needs --tls-cert
  --tls-cert FILE         certificate chain (PEM); needs --tls-key

With --dialect okta, which counts requests per endpoint:

  --endpoint-rate-limit PATH=N/SECONDS
                          another limit for an endpoint: /api/v1/apps=10/60; repeatable
  --without-feature NAME  feature that the organization does not have; repeatable:
                          ${OKTA_SCOPE_RESOURCES.slice(0, 6).join(', ')},
                          ${OKTA_SCOPE_RESOURCES.slice(6).join(', ')}
`;

/** The command line is wrong. */
export class UsageError extends Error {}

/** Reads the flags of `npm run emulator`. Throws {@link UsageError}. */
export function readFlags(words: string[]): EmulatorOptions {
  const { values } = parse(words);
  const role: AdminRole = oneOf(ROLES, values.role, 'role');
  const organization: OrganizationName = oneOf(ORGANIZATION_NAMES, values.organization, 'organization');
  const { 'rate-limit': rateLimit, 'public-url': publicUrl, 'tls-key': key, 'tls-cert': cert } = values;
  if ((key === undefined) !== (cert === undefined))
    throw new UsageError('--tls-key and --tls-cert must be given together');
  return {
    organization,
    role,
    port: portOf(values.port),
    dpop: oneOf(DPOP_MODES, values.dpop, 'dpop'),
    requireNonce: values['require-nonce'],
    ...(rateLimit === undefined ? {} : { rateLimit: rateLimitOf(rateLimit, 'rate-limit') }),
    ...(publicUrl === undefined ? {} : { publicUrl: publicUrlOf(publicUrl) }),
    ...(key === undefined || cert === undefined
      ? {}
      : { tls: { key: contentOf(key, 'tls-key'), cert: contentOf(cert, 'tls-cert') } }),
    ...oktaOptions(values),
  };
}

type Values = ReturnType<typeof parse>['values'];

function oktaOptions(
  values: Values,
): Pick<EmulatorOptions, 'dialect' | 'endpointRateLimits' | 'missingFeatures'> {
  const dialect = oneOf(DIALECTS, values.dialect, 'dialect');
  const { 'endpoint-rate-limit': limits = [], 'without-feature': features = [] } = values;
  if (dialect === 'okta')
    return {
      dialect,
      endpointRateLimits: Object.fromEntries(limits.map(endpointLimitOf)),
      missingFeatures: features.map((name) => oneOf(OKTA_SCOPE_RESOURCES, name, 'without-feature')),
    };
  if (limits.length + features.length > 0)
    throw new UsageError('--endpoint-rate-limit and --without-feature require --dialect okta');
  return { dialect };
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
        'public-url': { type: 'string' },
        'tls-key': { type: 'string' },
        'tls-cert': { type: 'string' },
        'endpoint-rate-limit': { type: 'string', multiple: true },
        'without-feature': { type: 'string', multiple: true },
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

function publicUrlOf(given: string): string {
  try {
    return originOf(given);
  } catch (cause) {
    throw new UsageError(`--public-url is an origin such as https://acme.example, not '${given}'`, { cause });
  }
}

function portOf(given: string): number {
  const port = Number(given);
  if (given === '' || !Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port is a number from 0 to 65535, not '${given}'`);
  return port;
}

function endpointLimitOf(given: string): [string, RateLimit] {
  const [path = '', limit = ''] = given.split(/=(.*)/s);
  return [path, rateLimitOf(limit, 'endpoint-rate-limit PATH')];
}

function rateLimitOf(given: string, flag: string): RateLimit {
  const [, requests, seconds] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(given) ?? [];
  if (requests === undefined || seconds === undefined)
    throw new UsageError(`--${flag} is REQUESTS/SECONDS, such as 100/60, not '${given}'`);
  return { requestsPerWindow: Number(requests), windowSeconds: Number(seconds) };
}

function contentOf(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`--${flag} names a file that cannot be read: '${file}'`, { cause });
  }
}

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type AdminRole,
  type EmulatorOptions,
  OKTA_SCOPE_RESOURCES,
  originOf,
  type RateLimit,
} from './options.ts';
import { ORGANIZATION_NAMES, type OrganizationName } from './organization/read-organization.ts';

const ROLES = ['read-only', 'super-admin', 'none'] as const;
const DIALECTS = ['directory', 'okta'] as const;
const DPOP_MODES = ['required', 'optional', 'off'] as const;

export const USAGE = `Usage: npm run emulator -- [flags]

  --organization NAME     ${ORGANIZATION_NAMES.join(', ')}; default compliant
  --role ROLE             admin role of the service app: ${ROLES.join(', ')}; default super-admin
  --port PORT             TCP port; default: any free port
  --rate-limit N/SECONDS  management API requests per window, such as 100/60; default 1000000/60
  --dpop MODE             ${DPOP_MODES.join(', ')}; default required
  --require-nonce         require a server nonce in every DPoP proof
  --dialect NAME          ${DIALECTS.join(', ')}; default directory
  --public-url URL        origin for clients, such as https://acme.example; default: listen address
  --tls-key FILE          TLS private key (PEM); requires --tls-cert
  --tls-cert FILE         TLS certificate chain (PEM); requires --tls-key

Only with --dialect okta, which applies a rate limit per endpoint:

  --endpoint-rate-limit PATH=N/SECONDS
                          limit of one endpoint, such as /api/v1/apps=10/60; repeatable
  --without-feature NAME  feature to disable; repeatable:
                          ${OKTA_SCOPE_RESOURCES.slice(0, 6).join(', ')},
                          ${OKTA_SCOPE_RESOURCES.slice(6).join(', ')}
`;

/** Thrown if the command line is invalid. */
export class UsageError extends Error {}

type Values = ReturnType<typeof parse>['values'];

/** Parses the flags of `npm run emulator`. Throws {@link UsageError}. */
export function parseFlags(args: string[]): EmulatorOptions {
  const { values } = parse(args);
  const role: AdminRole = oneOf(ROLES, values.role, 'role');
  const organization: OrganizationName = oneOf(ORGANIZATION_NAMES, values.organization, 'organization');
  const { 'rate-limit': rateLimit, 'public-url': publicUrl, 'tls-key': key, 'tls-cert': cert } = values;
  if ((key === undefined) !== (cert === undefined))
    throw new UsageError('--tls-key and --tls-cert must be used together');
  return {
    organization,
    role,
    port: parsePort(values.port),
    dpop: oneOf(DPOP_MODES, values.dpop, 'dpop'),
    requireNonce: values['require-nonce'],
    ...(rateLimit === undefined ? {} : { rateLimit: parseRateLimit(rateLimit, 'rate-limit') }),
    ...(publicUrl === undefined ? {} : { publicUrl: parsePublicUrl(publicUrl) }),
    ...(key === undefined || cert === undefined
      ? {}
      : { tls: { key: readFlagFile(key, 'tls-key'), cert: readFlagFile(cert, 'tls-cert') } }),
    ...oktaOptions(values),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
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

function oneOf<const Value extends string>(allowed: readonly Value[], value: string, flag: string): Value {
  const match = allowed.find((candidate) => candidate === value);
  if (match === undefined)
    throw new UsageError(`--${flag} must be one of ${allowed.join(', ')}, not '${value}'`);
  return match;
}

function parsePort(value: string): number {
  const port = Number(value);
  if (value === '' || !Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port must be an integer from 0 to 65535, not '${value}'`);
  return port;
}

function parseRateLimit(value: string, flag: string): RateLimit {
  const [, requests, seconds] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(value) ?? [];
  if (requests === undefined || seconds === undefined)
    throw new UsageError(`--${flag} must be REQUESTS/SECONDS, such as 100/60, not '${value}'`);
  return { requestsPerWindow: Number(requests), windowSeconds: Number(seconds) };
}

function parsePublicUrl(value: string): string {
  try {
    return originOf(value);
  } catch (cause) {
    throw new UsageError(`--public-url must be an origin such as https://acme.example, not '${value}'`, {
      cause,
    });
  }
}

function readFlagFile(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`--${flag}: can't read file '${file}'`, { cause });
  }
}

function oktaOptions(
  values: Values,
): Pick<EmulatorOptions, 'dialect' | 'endpointRateLimits' | 'missingFeatures'> {
  const dialect = oneOf(DIALECTS, values.dialect, 'dialect');
  const { 'endpoint-rate-limit': limits = [], 'without-feature': features = [] } = values;
  if (dialect === 'okta')
    return {
      dialect,
      endpointRateLimits: Object.fromEntries(limits.map(parseEndpointLimit)),
      missingFeatures: features.map((name) => oneOf(OKTA_SCOPE_RESOURCES, name, 'without-feature')),
    };
  if (limits.length + features.length > 0)
    throw new UsageError('--endpoint-rate-limit and --without-feature require --dialect okta');
  return { dialect };
}

function parseEndpointLimit(value: string): [string, RateLimit] {
  const [path = '', limit = ''] = value.split(/=(.*)/s);
  return [path, parseRateLimit(limit, 'endpoint-rate-limit PATH')];
}

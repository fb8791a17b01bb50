import { OperatorError } from '../lib/errors.ts';

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const CHANNEL_BINDINGS = ['disable', 'prefer', 'require'] as const;
const SESSION_ATTRIBUTES = ['any', 'read-write', 'primary'] as const;
/** Ignored libpq parameters. Sluice has its own timeouts and keepalives, and always uses UTF-8. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  'client_encoding',
  'connect_timeout',
  'fallback_application_name',
  'keepalives',
  'keepalives_count',
  'keepalives_idle',
  'keepalives_interval',
  'tcp_user_timeout',
]);
const DEFAULT_PORT = 5432;
const FORM =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^/?]*)@)?(?<hosts>[^/?]*)(?:\/(?<database>[^?]*))?(?:\?(?<query>.*))?$/;
/** `name`, `name:port` or `[::1]:port`; the path of a socket folder is percent-encoded. */
const HOST = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d*))?$/;

export interface Host {
  /** A name, an address, or the folder of a Unix socket, which begins with `/`. */
  readonly host: string | undefined;
  readonly port: number;
}

/** A connection string, parsed in the same way as by libpq (PostgreSQL documentation, section 34.1.1.2). */
export interface ConnectionTarget {
  /** The hosts, in the order in which they are tried. */
  readonly hosts: readonly Host[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** `undefined` means `prefer`. */
  readonly sslMode: (typeof SSL_MODES)[number] | undefined;
  /** `undefined` means `disable`. */
  readonly channelBinding: (typeof CHANNEL_BINDINGS)[number] | undefined;
  readonly sslFiles: { readonly rootCert?: string; readonly cert?: string; readonly key?: string };
  /** Whether to skip read-only servers. */
  readonly needsPrimary: boolean;
  readonly applicationName: string | undefined;
  /** Session settings, as `-c name=value`. */
  readonly options: string;
}

/** Throws an OperatorError that never contains any part of the string that could be a password. */
export function parseConnectionString(text: string): ConnectionTarget {
  const parts = FORM.exec(text)?.groups;
  if (parts === undefined) throw wrong('must be a URL that starts with postgres:// or postgresql://');
  const { user, password } = readUser(parts.user);
  const given = readParameters(parts.query ?? '');
  const take = (name: string) => {
    const value = given.get(name);
    given.delete(name);
    return value === '' ? undefined : value;
  };
  const hosts = readHosts(parts.hosts ?? '', take('host'), take('port'));
  const attributes = oneOf('target_session_attrs', take('target_session_attrs'), SESSION_ATTRIBUTES);
  const target: ConnectionTarget = {
    hosts,
    user: take('user') ?? user,
    password: take('password') ?? password,
    database: take('dbname') ?? (parts.database ? decode(parts.database) : undefined),
    // `pg` reads the user and the password from the environment in the same way.
    sslMode: oneOf('sslmode', take('sslmode') ?? (process.env.PGSSLMODE || undefined), SSL_MODES),
    channelBinding: oneOf('channel_binding', take('channel_binding'), CHANNEL_BINDINGS),
    sslFiles: withoutUndefined({
      rootCert: take('sslrootcert'),
      cert: take('sslcert'),
      key: take('sslkey'),
    }),
    // Among several servers, only the primary accepts writes.
    needsPrimary: attributes === undefined ? hosts.length > 1 : attributes !== 'any',
    applicationName: take('application_name'),
    options: take('options') ?? '',
  };
  const unknown = [...given.keys()].find((name) => !WITHOUT_EFFECT.has(name));
  if (unknown !== undefined) throw wrong(`has the unknown parameter ${unknown}`);
  return target;
}

/** Hosts, ports and database name, for messages. */
export function describeTarget({ hosts, database }: ConnectionTarget): string {
  const names = hosts.map(({ host = 'localhost', port }) =>
    host.startsWith('/') ? host : `${host}:${port}`,
  );
  return `${names.join(',')}/${database ?? ''}`;
}

function readUser(text: string | undefined): { user?: string; password?: string } {
  if (text === undefined || text === '') return {};
  const colon = text.indexOf(':');
  if (colon < 0) return { user: decode(text) };
  return { user: decode(text.slice(0, colon)), password: decode(text.slice(colon + 1)) };
}

function readHosts(inPath: string, hosts: string | undefined, ports: string | undefined): readonly Host[] {
  if (hosts === undefined) {
    const pairs = inPath.split(',').map((part) => {
      const { host = '', port } = HOST.exec(part)?.groups ?? {};
      if (!HOST.test(part)) throw wrong('has a host that is neither a name nor an address');
      return { host: decode(host).replace(/^\[(.*)\]$/, '$1'), port };
    });
    const defaults = ports?.split(',') ?? [];
    return pairs.map(({ host, port }, at) => hostOf(host, port || (defaults[at] ?? defaults[0])));
  }
  const names = hosts.split(',');
  const given = (ports ?? HOST.exec(inPath)?.groups?.port ?? '').split(',');
  if (given.length > 1 && given.length !== names.length)
    throw wrong('must have one port, or as many ports as hosts');
  return names.map((name, at) => hostOf(name, given[at] ?? given[0]));
}

function hostOf(host: string, port: string | undefined): Host {
  const number = port === undefined || port === '' ? DEFAULT_PORT : Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535)
    throw wrong('has a port that is not between 1 and 65535');
  return { host: host === '' ? undefined : host, port: number };
}

function readParameters(query: string): Map<string, string> {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return new Map(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 0) throw wrong('has a parameter without a value');
      // HTML forms and URLSearchParams encode a space as `+`.
      return [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1).replaceAll('+', ' '))];
    }),
  );
}

function oneOf<Value extends string>(
  name: string,
  value: string | undefined,
  values: readonly Value[],
): Value | undefined {
  if (value === undefined) return undefined;
  const known = values.find((each) => each === value);
  if (known === undefined) throw wrong(`has ${name}=${value}, which must be one of ${values.join(', ')}`);
  return known;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw wrong('has a % that is not followed by two hexadecimal digits; write it as %25', error);
  }
}

function withoutUndefined(files: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).flatMap(([name, file]) => (file === undefined ? [] : [[name, file]])),
  );
}

function wrong(what: string, cause?: unknown): OperatorError {
  return new OperatorError(`DATABASE_URL ${what}`, { cause });
}

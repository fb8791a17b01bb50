import {
  createKey,
  createTenant,
  createUser,
  revokeKey,
  setPermissions,
  setSubscription,
} from '../auth/administration.ts';
import { PERMISSIONS } from '../auth/permissions.ts';
import { DATABASE_SETTINGS } from '../config/config.ts';
import { retryJob } from '../features/ingestions/retry-job.ts';
import { deleteBilledProvider, listBilledProviders } from '../features/providers/delete-provider.ts';
import { isUuid } from '../jsonapi/identifier.ts';
import { backup, restore } from './backup.ts';
import {
  type AdminCommand,
  type OwnerCommand,
  readPermissions,
  readSubscription,
  UsageError,
} from './command.ts';
import { commandName, unknownCommand } from './command-name.ts';
import { gc } from './gc.ts';

const TENANT = { value: 'ID', description: 'ID of the tenant' };
const EMAIL = { value: 'E', description: 'email address of the user' };
const PERMISSION_NAMES = `P is one of ${PERMISSIONS.join(', ')}.`;

/** The admin commands by name. */
export const ADMIN_COMMANDS: Readonly<Record<string, AdminCommand | OwnerCommand>> = {
  'tenant create': {
    usage: 'tenant create NAME [--subscription active|none]',
    summary: 'Create a tenant',
    positionals: { NAME: 'name of the tenant' },
    options: {
      subscription: {
        value: 'active|none',
        description: 'uploads require an active subscription (default: active)',
      },
    },
    settings: DATABASE_SETTINGS,
    read: (given) => {
      const name = given.positional(0, 'NAME');
      const subscription = readSubscription(given.option('subscription') ?? 'active');
      return (pool) => createTenant(pool, name, subscription);
    },
  },
  'subscription set': {
    usage: 'subscription set --tenant ID active|none',
    summary: "Change a tenant's subscription",
    positionals: { 'active|none': 'uploads require an active subscription' },
    options: { tenant: TENANT },
    settings: DATABASE_SETTINGS,
    read: (given) => {
      const tenant = given.tenant();
      const subscription = readSubscription(given.positional(0, 'active or none'));
      return (pool) => setSubscription(pool, tenant, subscription);
    },
  },
  'user create': {
    usage: 'user create --tenant ID --email E [--permissions P,...]',
    summary: 'Create a user',
    details: PERMISSION_NAMES,
    positionals: {},
    options: {
      tenant: TENANT,
      email: EMAIL,
      permissions: { value: 'P,...', description: 'permissions of the user (default: all)' },
    },
    settings: DATABASE_SETTINGS,
    read: (given) => {
      const tenant = given.tenant();
      const email = readEmail(given.required('email'));
      const permissions = given.option('permissions');
      const granted = permissions === undefined ? PERMISSIONS : readPermissions(permissions);
      return (pool) => createUser(pool, tenant, email, granted);
    },
  },
  'user set-permissions': {
    usage: 'user set-permissions --tenant ID --email E P,...',
    summary: "Replace a user's permissions",
    details: PERMISSION_NAMES,
    positionals: { 'P,...': 'new permissions of the user' },
    options: { tenant: TENANT, email: EMAIL },
    settings: DATABASE_SETTINGS,
    read: (given) => {
      const tenant = given.tenant();
      const email = given.required('email');
      const permissions = readPermissions(given.positional(0, 'P,...'));
      return (pool) => setPermissions(pool, tenant, email, permissions);
    },
  },
  'api-key create': {
    usage: 'api-key create --tenant ID --user EMAIL [--permissions P,...] [--expires ISO]',
    summary: 'Create an API key',
    details: `You won't be able to see the key again.\n${PERMISSION_NAMES}`,
    positionals: {},
    options: {
      tenant: TENANT,
      user: { value: 'EMAIL', description: 'email address of the user who owns the key' },
      permissions: {
        value: 'P,...',
        description: 'restrict the key to these permissions (default: all permissions of its user)',
      },
      expires: {
        value: 'ISO',
        description: 'expiry time, for example 2027-01-31T00:00:00Z (default: never)',
      },
    },
    settings: DATABASE_SETTINGS,
    read: (given) => {
      const tenant = given.tenant();
      const email = given.required('user');
      const permissions = given.option('permissions');
      const expires = given.option('expires');
      const options = {
        permissions: permissions === undefined ? undefined : readPermissions(permissions),
        expiresAt: expires === undefined ? undefined : readTime(expires),
      };
      return (pool) => createKey(pool, tenant, email, options);
    },
  },
  'api-key revoke': {
    usage: 'api-key revoke --tenant ID PREFIX',
    summary: 'Revoke an API key',
    positionals: { PREFIX: 'part of the key before the dot' },
    options: { tenant: TENANT },
    settings: DATABASE_SETTINGS,
    read: (given) => {
      const tenant = given.tenant();
      const prefix = given.positional(0, 'PREFIX');
      return (pool) => revokeKey(pool, tenant, prefix);
    },
  },
  'provider list': {
    usage: 'provider list --tenant ID',
    summary: "List a tenant's billed providers",
    positionals: {},
    options: { tenant: TENANT },
    settings: DATABASE_SETTINGS,
    read: (given) => {
      const tenant = given.tenant();
      return (pool) => listBilledProviders(pool, tenant);
    },
  },
  'provider delete': {
    usage: 'provider delete --tenant ID PROVIDER_ID',
    summary: 'Delete a provider and its findings',
    positionals: { PROVIDER_ID: "ID of the provider, from 'sluice provider list'" },
    options: { tenant: TENANT },
    settings: DATABASE_SETTINGS,
    read: (given) => {
      const tenant = given.tenant();
      const id = given.positional(0, 'PROVIDER_ID').toLowerCase();
      if (!isUuid(id))
        throw new UsageError(`PROVIDER_ID must be an ID from 'sluice provider list', not '${id}'`);
      return (pool) => deleteBilledProvider(pool, tenant, id);
    },
  },
  'job retry': {
    usage: 'job retry --tenant ID JOB_ID',
    summary: "Retry a job's failed frames",
    positionals: { JOB_ID: 'ID of the ingestion' },
    options: { tenant: TENANT },
    settings: DATABASE_SETTINGS,
    read: (given) => {
      const tenant = given.tenant();
      const id = given.positional(0, 'JOB_ID').toLowerCase();
      if (!isUuid(id)) throw new UsageError(`JOB_ID must be the ID of an ingestion, not '${id}'`);
      return (pool) => retryJob(pool, tenant, id);
    },
  },
  gc,
  backup,
  restore,
};

/** Finds the command at the start of the command line. Throws a UsageError if it is unknown. */
export function findCommand(args: readonly string[]): {
  command: AdminCommand | OwnerCommand;
  args: readonly string[];
} {
  const name = commandName(args, Object.keys(ADMIN_COMMANDS));
  const command = name === undefined ? undefined : ADMIN_COMMANDS[name];
  if (name === undefined || command === undefined)
    throw unknownCommand(args, ['serve', 'migrate', ...Object.keys(ADMIN_COMMANDS)]);
  return { command, args: args.slice(name.split(' ').length) };
}

function readEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw new UsageError(`--email must be an email address such as name@example.com, not '${text}'`);
}

/**
 * A date without a time means midnight UTC. A time requires a time zone, so that its meaning does not depend on the
 * machine.
 */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

function readTime(text: string): Date {
  const day = ISO_TIME.exec(text)?.[1];
  // `Date` would convert February 30 to March 2.
  const isValidDay = day !== undefined && new Date(`${day}T00:00Z`).toJSON()?.startsWith(day) === true;
  const time = new Date(isValidDay ? text : Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  throw new UsageError(
    `--expires must be an ISO 8601 time with a time zone, such as 2027-01-31T00:00:00Z, not '${text}'`,
  );
}

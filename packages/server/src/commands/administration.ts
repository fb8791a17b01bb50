import {
  createKey,
  createTenant,
  createUser,
  revokeKey,
  setPermissions,
  setSubscription,
} from '../access/administration.ts';
import { PERMISSIONS } from '../access/permissions.ts';
import { deleteProvider, listProviders } from '../features/providers/repository.ts';
import { isUuid } from '../jsonapi/identifier.ts';
import { type AdminCommand, readPermissions, readSubscription, UsageError } from './command.ts';

/** The commands of an operator, by the two words that call them. */
export const ADMIN_COMMANDS: Readonly<Record<string, AdminCommand>> = {
  'tenant create': {
    usage: 'tenant create NAME [--subscription active|none]',
    options: ['subscription'],
    positionals: 1,
    run: (pool, given) =>
      createTenant(
        pool,
        given.positional(0, 'NAME'),
        readSubscription(given.option('subscription') ?? 'active'),
      ),
  },
  'subscription set': {
    usage: 'subscription set --tenant ID active|none',
    options: ['tenant'],
    positionals: 1,
    run: (pool, given) =>
      setSubscription(pool, given.tenant(), readSubscription(given.positional(0, 'active or none'))),
  },
  'user create': {
    usage: 'user create --tenant ID --email E [--permissions P,...]',
    options: ['tenant', 'email', 'permissions'],
    positionals: 0,
    run: (pool, given) => {
      const permissions = given.option('permissions');
      const email = readEmail(given.required('email'));
      return createUser(
        pool,
        given.tenant(),
        email,
        permissions === undefined ? PERMISSIONS : readPermissions(permissions),
      );
    },
  },
  'user set-permissions': {
    usage: 'user set-permissions --tenant ID --email E P,...',
    options: ['tenant', 'email'],
    positionals: 1,
    run: (pool, given) => {
      const permissions = readPermissions(given.positional(0, 'the list of permissions'));
      return setPermissions(pool, given.tenant(), given.required('email'), permissions);
    },
  },
  'api-key create': {
    usage: 'api-key create --tenant ID --user EMAIL [--permissions P,...] [--expires ISO]',
    options: ['tenant', 'user', 'permissions', 'expires'],
    positionals: 0,
    run: (pool, given) => {
      const permissions = given.option('permissions');
      const expires = given.option('expires');
      return createKey(pool, given.tenant(), given.required('user'), {
        permissions: permissions === undefined ? undefined : readPermissions(permissions),
        expiresAt: expires === undefined ? undefined : readTime(expires),
      });
    },
  },
  'api-key revoke': {
    usage: 'api-key revoke --tenant ID PREFIX',
    options: ['tenant'],
    positionals: 1,
    run: (pool, given) => revokeKey(pool, given.tenant(), given.positional(0, 'PREFIX')),
  },
  'provider list': {
    usage: 'provider list --tenant ID',
    options: ['tenant'],
    positionals: 0,
    run: (pool, given) => listProviders(pool, given.tenant()),
  },
  'provider delete': {
    usage: 'provider delete --tenant ID PROVIDER_ID',
    options: ['tenant'],
    positionals: 1,
    run: (pool, given) => {
      const id = given.positional(0, 'PROVIDER_ID').toLowerCase();
      if (!isUuid(id))
        throw new UsageError(`PROVIDER_ID must be the id that 'sluice provider list' shows, not '${id}'`);
      return deleteProvider(pool, given.tenant(), id);
    },
  },
};

function readEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw new UsageError(`--email must be an address like name@example.com, not '${text}'`);
}

function readTime(text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`--expires must be an ISO 8601 time like 2027-01-31T00:00:00Z, not '${text}'`);
  return time;
}

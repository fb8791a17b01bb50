import { type Config, ConfigError } from '../config/config.ts';

/** The role of a process: handle requests, process uploads, or both. */
export const ROLES = ['api', 'worker', 'all'] as const;

export type Role = (typeof ROLES)[number];

/** Throws a ConfigError if the settings do not allow this role. */
export function assertRoleAllowed(role: Role, { databaseUrl }: Pick<Config, 'databaseUrl'>): void {
  if (role === 'all' || databaseUrl !== undefined) return;
  throw new ConfigError([
    `DATABASE_URL must be set for --role ${role}: only --role all can use the embedded PostgreSQL`,
  ]);
}

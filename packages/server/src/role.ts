import { type Config, ConfigError } from './config.ts';

/** What a process of the service does: answer requests, work on what was uploaded, or all of it. */
export const ROLES = ['api', 'worker', 'all'] as const;

export type Role = (typeof ROLES)[number];

/** Throws a ConfigError where the settings do not let a process have this role. */
export function assertRoleAllowed(role: Role, { databaseUrl }: Pick<Config, 'databaseUrl'>): void {
  if (role === 'all' || databaseUrl !== undefined) return;
  throw new ConfigError([
    `DATABASE_URL must be set for --role ${role}: the embedded PostgreSQL belongs to one process that does everything`,
  ]);
}

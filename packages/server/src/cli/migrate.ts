import { type Config, DATABASE_SETTINGS } from '../config/config.ts';
import { inspectDatabase, openMigratedDatabase } from '../db/open-database.ts';
import { type AppliedMigration, isCompatible } from '../db/schema-state.ts';
import { printResult } from './administer.ts';
import { assertDatabaseExists } from './assert-database-exists.ts';
import { type CommandHelp, readArguments } from './command.ts';
import { JSON_FLAG } from './json-flag.ts';

/** The help of `sluice migrate`. */
export const MIGRATE: CommandHelp = {
  usage: 'migrate [--status]',
  summary: 'Apply pending migrations to the database',
  positionals: {},
  options: {},
  flags: { status: 'list applied, pending and unknown migrations, without changing anything' },
  settings: DATABASE_SETTINGS,
};

/** Applies pending migrations and prints their names; with --status, prints the state of all migrations instead. */
export async function migrateCommand(config: Config, args: readonly string[]): Promise<void> {
  const given = readArguments(args, { ...MIGRATE, flags: { ...MIGRATE.flags, json: JSON_FLAG } });
  await assertDatabaseExists(config);
  const isJson = given.flag('json');
  if (given.flag('status')) return await printStatus(config, isJson);
  // Log messages go to stderr, because only the result belongs on stdout.
  const opened = await openMigratedDatabase(config, (message) => process.stderr.write(`${message}\n`));
  await opened.close();
  if (isJson) printResult({ applied: opened.applied }, true);
  else process.stdout.write(`${describeApplied(opened.applied)}\n`);
}

async function printStatus(config: Config, isJson: boolean): Promise<void> {
  const { applied, pending, unknown, changed } = await inspectDatabase(config);
  const entry = ({ name, appliedAt }: AppliedMigration) => ({ name, applied_at: appliedAt });
  const status = {
    applied: applied.map(entry),
    pending: pending.map(({ name }) => name),
    unknown: unknown.map((migration) => ({ ...entry(migration), compatible: isCompatible(migration) })),
    changed,
  };
  if (isJson) return printResult(status, true);
  const lines = [
    ...applied.map(({ name, appliedAt }) =>
      changed.includes(name) ? `changed  ${name}  ${appliedAt}` : `applied  ${name}  ${appliedAt}`,
    ),
    ...pending.map(({ name }) => `pending  ${name}`),
    ...status.unknown.map(
      ({ name, applied_at, compatible }) =>
        `unknown  ${name}  ${applied_at}  ${compatible ? 'compatible' : 'incompatible'}`,
    ),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function describeApplied(applied: readonly string[]): string {
  if (applied.length === 0) return 'The schema is up to date.';
  return applied.map((name) => `applied  ${name}`).join('\n');
}

import { Command } from '@commander-js/extra-typings';
import { type Config, readConfig } from '../config/config.ts';
import type { BackfillProgress } from '../db/finding-backfills.ts';
import { inspectDatabase, openMigratedDatabase } from '../db/open-database.ts';
import { type AppliedMigration, isCompatible } from '../db/schema-state.ts';
import { assertDatabaseExists } from './assert-database-exists.ts';
import { type CliContext, printResult } from './context.ts';
import { jsonOption } from './options.ts';
import { settingsHelp } from './settings-help.ts';

/** `sluice migrate`. */
export function migrateCommand(context: CliContext) {
  return new Command('migrate')
    .description('apply pending migrations to the database')
    .option('--status', 'list applied, pending and unknown migrations, without changing anything')
    .addOption(jsonOption())
    .addHelpText('after', settingsHelp())
    .action(async ({ status, json }) => {
      const config = readConfig(context.env);
      await assertDatabaseExists(config);
      if (status === true) await printStatus(context, config, json);
      else await migrate(context, config, json);
    });
}

/** Applies pending migrations and prints their names. */
async function migrate(context: CliContext, config: Config, isJson: boolean | undefined): Promise<void> {
  // Log messages go to stderr, because only the result belongs on stdout.
  const opened = await openMigratedDatabase(config, (message) => context.writeErr(`${message}\n`));
  await opened.close();
  if (isJson === true) printResult(context, true, { applied: opened.applied });
  else context.writeOut(`${describeApplied(opened.applied)}\n`);
}

/** Prints the state of all migrations. */
async function printStatus(context: CliContext, config: Config, isJson: boolean | undefined): Promise<void> {
  const { applied, pending, unknown, changed, backfill } = await inspectDatabase(config);
  const entry = ({ name, appliedAt }: AppliedMigration) => ({ name, applied_at: appliedAt });
  const status = {
    applied: applied.map(entry),
    pending: pending.map(({ name }) => name),
    unknown: unknown.map((migration) => ({ ...entry(migration), compatible: isCompatible(migration) })),
    changed,
    ...(backfill && { backfill }),
  };
  if (isJson === true) return printResult(context, true, status);
  const lines = [
    ...applied.map(({ name, appliedAt }) =>
      changed.includes(name) ? `changed  ${name}  ${appliedAt}` : `applied  ${name}  ${appliedAt}`,
    ),
    ...pending.map(({ name }) => `pending  ${name}`),
    ...status.unknown.map(
      ({ name, applied_at, compatible }) =>
        `unknown  ${name}  ${applied_at}  ${compatible ? 'compatible' : 'incompatible'}`,
    ),
    ...(backfill === undefined ? [] : describeBackfill(backfill)),
  ];
  context.writeOut(`${lines.join('\n')}\n`);
}

function describeBackfill({ tenants, percent, frames }: BackfillProgress): readonly string[] {
  return [
    ...(tenants > 0 ? [`backfill  ${countOf(tenants, 'tenant')} left, about ${percent}% done`] : []),
    ...(frames > 0 ? [`backfill  ${countOf(frames, 'stored frame')} left to read again`] : []),
  ];
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function describeApplied(applied: readonly string[]): string {
  if (applied.length === 0) return 'The schema is up to date.';
  return applied.map((name) => `applied  ${name}`).join('\n');
}

import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type Config, readConfig } from '../config/config.ts';
import type { BackfillProgress } from '../db/finding-backfills.ts';
import {
  inspectDatabase,
  type OpenDatabase,
  openDistributedDatabase,
  openMigratedDatabase,
} from '../db/open-database.ts';
import type { Distribution } from '../db/read-distribution.ts';
import { type AppliedMigration, isCompatible } from '../db/schema-state.ts';
import { assertDatabaseExists } from './assert-database-exists.ts';
import { type CliContext, printResult } from './context.ts';
import { jsonOption } from './options.ts';
import { settingsHelp } from './settings-help.ts';

/** The limit of Citus. */
const MAX_SHARDS = 64_000;

/** `sluice migrate`. */
export function migrateCommand(context: CliContext) {
  return new Command('migrate')
    .description('apply pending migrations to the database')
    .option('--status', 'list applied, pending and unknown migrations, without changing anything')
    .addOption(
      new Option('--distribute', 'distribute the tables over the nodes of a Citus cluster').conflicts(
        'status',
      ),
    )
    .addOption(
      new Option('--shards <count>', 'number of shards per table with --distribute (default: 32)').argParser(
        parseShards,
      ),
    )
    .addOption(jsonOption())
    .addHelpText('after', settingsHelp())
    .action(async ({ status, distribute, shards, json }, command) => {
      if (shards !== undefined && distribute !== true)
        command.error("error: option '--shards <count>' requires '--distribute'");
      const config = readConfig(context.env);
      await assertDatabaseExists(config);
      // Log messages go to stderr, because only the result belongs on stdout.
      const log = (message: string) => context.writeErr(`${message}\n`);
      if (status === true) await printStatus(context, config, json);
      else if (distribute === true)
        await migrate(context, json, () => openDistributedDatabase(config, { shards, log }));
      else await migrate(context, json, () => openMigratedDatabase(config, log));
    });
}

function parseShards(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_SHARDS) return count;
  throw new InvalidArgumentError(`Use a number between 1 and ${MAX_SHARDS}.`);
}

/** Applies pending migrations and prints their names. */
async function migrate(
  context: CliContext,
  isJson: boolean | undefined,
  open: () => Promise<OpenDatabase>,
): Promise<void> {
  const { applied, distribution, close } = await open();
  await close();
  if (isJson === true)
    printResult(context, true, { applied, ...(distribution && { distributed: summaryOf(distribution) }) });
  else
    context.writeOut(`${[...describeApplied(applied), ...describeDistribution(distribution)].join('\n')}\n`);
}

/** Prints the state of all migrations. */
async function printStatus(context: CliContext, config: Config, isJson: boolean | undefined): Promise<void> {
  const { applied, pending, unknown, changed, backfill, distribution } = await inspectDatabase(config);
  const entry = ({ name, appliedAt }: AppliedMigration) => ({ name, applied_at: appliedAt });
  const status = {
    applied: applied.map(entry),
    pending: pending.map(({ name }) => name),
    unknown: unknown.map((migration) => ({ ...entry(migration), compatible: isCompatible(migration) })),
    changed,
    ...(backfill && { backfill }),
    ...(distribution && { distributed: summaryOf(distribution) }),
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
    ...describeDistribution(distribution),
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

function describeApplied(applied: readonly string[]): readonly string[] {
  if (applied.length === 0) return ['The schema is up to date.'];
  return applied.map((name) => `applied  ${name}`);
}

function summaryOf({ tables, shards, nodes, remaining }: Distribution): object {
  return { tables, shards, nodes, ...(remaining.length > 0 && { remaining }) };
}

function describeDistribution(distribution: Distribution | undefined): readonly string[] {
  if (distribution === undefined) return [];
  const { tables, shards, nodes, remaining } = distribution;
  const of = remaining.length === 0 ? '' : ` of ${tables + remaining.length}`;
  return [`distributed  ${tables}${of} tables, ${countOf(shards, 'shard')}, ${countOf(nodes, 'node')}`];
}

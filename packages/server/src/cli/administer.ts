import type { Config } from '../config/config.ts';
import { createPool } from '../db/connect.ts';
import { openDatabase } from '../db/open-database.ts';
import { assertDatabaseExists } from './assert-database-exists.ts';
import { type AdminCommand, type Arguments, type OwnerCommand, readArguments } from './command.ts';
import { JSON_FLAG } from './json-flag.ts';

/**
 * Runs an admin command against the service's database, whether or not the service is running. Prints the result: one
 * JSON value with --json, otherwise lines of text.
 */
export async function administer(
  config: Config,
  command: AdminCommand | OwnerCommand,
  args: readonly string[],
): Promise<void> {
  const given = readArguments(args, { ...command, flags: { ...command.flags, json: JSON_FLAG } });
  printResult(await run(config, command, given), given.flag('json'));
}

async function run(config: Config, command: AdminCommand | OwnerCommand, given: Arguments): Promise<object> {
  if ('readAsOwner' in command) return await command.readAsOwner(given)(config);
  const work = command.read(given);
  await assertDatabaseExists(config);
  // Log messages are disabled, because only the result belongs on stdout.
  const opened = await openDatabase(config, () => undefined);
  const pool = createPool(opened.database, { applicationName: 'sluice admin', max: 1 });
  try {
    return await work(pool, config);
  } finally {
    await pool.end();
    await opened.close();
  }
}

/** Prints one JSON value, or lines of text. */
export function printResult(result: object, isJson: boolean): void {
  process.stdout.write(`${isJson ? JSON.stringify(result) : describe(result)}\n`);
}

function describe(result: object): string {
  if (!Array.isArray(result)) return lines(result);
  if (result.length === 0) return '(none)';
  return result.map((item: object) => lines(item)).join('\n\n');
}

function lines(item: object): string {
  const entries = Object.entries(item);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${text(value)}`).join('\n');
}

function text(value: unknown): string {
  if (Array.isArray(value)) return value.map(text).join(', ');
  if (typeof value !== 'object' || value === null) return String(value ?? '-');
  return Object.entries(value)
    .filter(([, member]) => !Array.isArray(member) || member.length > 0)
    .map(([name, member]) => `${name} ${text(member)}`)
    .join(', ');
}

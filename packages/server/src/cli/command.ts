import { type ParseArgsConfig, parseArgs } from 'node:util';
import type pg from 'pg';
import { isPermission, PERMISSIONS, type Permission } from '../auth/permissions.ts';
import type { Subscription } from '../auth/provisioning.ts';
import type { Config } from '../config/config.ts';
import type { SettingShape } from '../config/setting.ts';
import { isUuid } from '../jsonapi/identifier.ts';

/** The command line is invalid. Exit code 2. */
export class UsageError extends Error {}

/** Parsed arguments of a command line. The methods throw a UsageError for missing or invalid values. */
export class Arguments {
  readonly #options: Readonly<Record<string, string | boolean | undefined>>;
  readonly #positionals: readonly string[];

  constructor(
    options: Readonly<Record<string, string | boolean | undefined>>,
    positionals: readonly string[],
  ) {
    this.#options = options;
    this.#positionals = positionals;
  }

  /** Returns the positional argument at this index; `name` is used in the error. */
  positional(at: number, name: string): string {
    const value = this.#positionals[at]?.trim();
    if (value === undefined || value === '') throw new UsageError(`missing argument ${name}`);
    return value;
  }

  option(name: string): string | undefined {
    const value = this.#options[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** Whether an option without a value is given. */
  flag(name: string): boolean {
    return this.#options[name] === true;
  }

  required(name: string): string {
    const value = this.option(name);
    if (value === undefined || value.trim() === '') throw new UsageError(`missing option --${name}`);
    return value.trim();
  }

  tenant(): string {
    const id = this.required('tenant').toLowerCase();
    if (!isUuid(id)) throw new UsageError(`--tenant must be the ID of a tenant, not '${id}'`);
    return id;
  }
}

/** Runs the command. Resolves with the result to print: an object or a list of objects. */
type Run = (pool: pg.Pool, config: Config) => Promise<object>;

/** The arguments of a command and their help. Descriptions are phrases without a final period. */
export interface CommandHelp {
  /** The command line after `sluice`. */
  readonly usage: string;
  /** One sentence that begins with a verb. */
  readonly summary: string;
  /** Complete lines. */
  readonly details?: string;
  /** Descriptions of the positional arguments, in order, keyed by their names in the usage line. */
  readonly positionals: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, OptionHelp>>;
  /** Options without a value, in addition to --json. */
  readonly flags?: Readonly<Record<string, string>>;
  /** The settings that the command reads. */
  readonly settings: SettingShape;
}

interface OptionHelp {
  /** The placeholder for the value in the usage line. */
  readonly value: string;
  readonly description: string;
}

export interface AdminCommand extends CommandHelp {
  /** Reads the arguments before a database is opened. Throws a UsageError for invalid arguments. */
  readonly read: (given: Arguments) => Run;
}

/** A command that opens the database itself, as the owner of the tables or before they exist. */
export interface OwnerCommand extends CommandHelp {
  readonly readAsOwner: (given: Arguments) => (config: Config) => Promise<object>;
}

/** Parses the arguments after the name of a command. Throws a UsageError for unknown options and extra arguments. */
export function readArguments(
  args: readonly string[],
  accepted: Pick<CommandHelp, 'options' | 'flags' | 'positionals'>,
): Arguments {
  const options: ParseArgsConfig['options'] = {};
  for (const name of Object.keys(accepted.options)) options[name] = { type: 'string' };
  for (const name of Object.keys(accepted.flags ?? {})) options[name] = { type: 'boolean' };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const maximum = Object.keys(accepted.positionals).length;
    if (positionals.length > maximum) throw new UsageError(`unexpected argument '${positionals[maximum]}'`);
    const texts = Object.entries(values).map(
      ([name, value]) => [name, Array.isArray(value) ? undefined : value] as const,
    );
    return new Arguments(Object.fromEntries(texts), positionals);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

export function readSubscription(text: string): Subscription {
  if (text === 'active' || text === 'none') return text;
  throw new UsageError(`the subscription must be active or none, not '${text}'`);
}

export function readPermissions(text: string): Permission[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.map((name) => {
    if (isPermission(name)) return name;
    throw new UsageError(`'${name}' is not a permission; the permissions are ${PERMISSIONS.join(', ')}`);
  });
}

import { fileVariable, SECRETS } from '../config/environment.ts';
import { helpOf, type SettingShape } from '../config/setting.ts';
import { ADMIN_COMMANDS } from './administration.ts';
import type { CommandHelp } from './command.ts';
import { commandName, unknownCommand } from './command-name.ts';
import { JSON_FLAG } from './json-flag.ts';
import { MIGRATE } from './migrate.ts';
import { SERVE } from './serve-command.ts';

const COMMANDS: Readonly<Record<string, CommandHelp>> = {
  serve: SERVE,
  migrate: MIGRATE,
  ...ADMIN_COMMANDS,
};

type Row = readonly [name: string, description: string];

/** A summary of all commands. */
export function overview(): string {
  const commands = Object.values(COMMANDS).map(({ usage, summary }) => `  sluice ${usage}\n      ${summary}`);
  return `Usage:
${commands.join('\n')}

Run 'sluice help COMMAND' for the arguments, options and settings of a command, and 'sluice --version' for the version.
All commands except serve accept --json, which prints the result as one JSON value.
Settings are environment variables; 'sluice help serve' lists all of them.
`;
}

/**
 * The help of a command, of all commands in a group such as `tenant`, or the overview if no command is given. Throws a
 * UsageError for an unknown command.
 */
export function helpFor(args: readonly string[]): string {
  const names = Object.keys(COMMANDS);
  const [first] = args;
  if (first === undefined || first === 'help') return overview();
  const group = args.length === 1 ? names.filter((name) => name.startsWith(`${first} `)) : [];
  const name = commandName(args, names);
  const commands = [...(name === undefined ? [] : [name]), ...group].flatMap((each) => COMMANDS[each] ?? []);
  if (commands.length === 0) throw unknownCommand(args, names);
  return commands.map(describe).join('\n');
}

function describe(command: CommandHelp): string {
  const { usage, summary, details, positionals, options, flags = {}, settings } = command;
  const isServe = command === SERVE;
  const sections = [
    `Usage: sluice ${usage}${isServe ? '' : ' [--json]'}`,
    `${summary}.`,
    details,
    section('Arguments', Object.entries(positionals)),
    section('Options', [
      ...Object.entries(options).map(
        ([name, { value, description }]): Row => [`--${name} ${value}`, description],
      ),
      ...Object.entries(flags).map(([name, description]): Row => [`--${name}`, description]),
      ...(isServe ? [] : [['--json', JSON_FLAG] as const]),
      ['-h, --help', 'print this help'],
    ]),
    section('Settings (environment variables)', settingRows(settings)),
  ];
  return `${sections.filter((text) => text !== undefined).join('\n\n')}\n`;
}

function settingRows(settings: SettingShape): Row[] {
  return Object.entries(settings).flatMap(([name, schema]): Row[] => {
    const { description, default: fallback } = helpOf(schema);
    const row: Row = [name, fallback === undefined ? description : `${description} (default: ${fallback})`];
    const secret = SECRETS.find((each) => each === name);
    return secret === undefined ? [row] : [row, [fileVariable(secret), `File that contains ${secret}`]];
  });
}

function section(title: string, rows: readonly Row[]): string | undefined {
  if (rows.length === 0) return undefined;
  const width = Math.max(...rows.map(([name]) => name.length));
  return [`${title}:`, ...rows.map(([name, description]) => `  ${name.padEnd(width)}  ${description}`)].join(
    '\n',
  );
}

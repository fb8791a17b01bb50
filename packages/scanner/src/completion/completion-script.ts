import type { Command } from 'commander';
import { ALL_CHECKS } from '../checks/all-checks.ts';
import { SEVERITIES } from '../checks/check.ts';
import { COVERAGES } from '../client/coverage.ts';
import { ALL_FRAMEWORKS } from '../compliance/all-frameworks.ts';
import { DIALECTS } from '../directory/dialect.ts';
import { checkIds } from '../directory/dialect-names.ts';
import { OUTPUT_FORMATS } from '../outputs/write-outputs.ts';
import { GATE_SEVERITIES } from '../push/gate-severity.ts';
import { categoriesOf, STATUSES, servicesOf } from '../selection/select-checks.ts';
import { LOG_LEVELS } from '../terminal/log.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

/** A command of the program. */
export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  /** Possible positional arguments. */
  readonly words: readonly string[];
  /** Whether the arguments are files. */
  readonly takesFiles: boolean;
  readonly options: readonly CompletedOption[];
}

export interface CompletedOption {
  readonly long: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly value: CompletedValue;
  readonly isList: boolean;
}

/** The value of a flag: none, a word from a list, a file, a folder, or any text. */
export type CompletedValue = 'none' | 'any' | 'file' | 'folder' | readonly string[];

/** The completion script of `scanner` for a shell, with all flags and their values. */
export function completionScript(shell: unknown, program: Command): string {
  const commands = program.commands.map((command) => describe(command));
  if (shell === 'zsh') return zshScript(commands);
  if (shell === 'fish') return fishScript(commands);
  return bashScript(commands);
}

function describe(command: Command): CompletedCommand {
  const options = command.createHelp().visibleOptions(command);
  return {
    name: command.name(),
    description: command.description(),
    words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    takesFiles: command.registeredArguments.some((argument) => argument.name() === 'file'),
    options: options.map(({ long, short, description, required, variadic }) => ({
      long: long ?? '',
      short,
      description,
      value: required ? completedValue(long ?? '') : 'none',
      isList: variadic,
    })),
  };
}

function completedValue(flag: string): CompletedValue {
  const ids = ALL_CHECKS.flatMap(({ id }) => checkIds(id));
  const services = servicesOf(ALL_CHECKS);
  const values: Readonly<Record<string, CompletedValue>> = {
    '--checks': ids,
    '--excluded-checks': ids,
    '--services': services,
    '--excluded-services': services,
    '--severity': SEVERITIES,
    '--categories': categoriesOf(ALL_CHECKS),
    '--compliance': frameworkNames(),
    '--status': STATUSES,
    '--output-formats': OUTPUT_FORMATS,
    '--coverage': COVERAGES,
    '--fail-on': GATE_SEVERITIES,
    '--log-level': LOG_LEVELS,
    '--dialect': ['directory', 'okta'],
    '--checks-file': 'file',
    '--mutelist-file': 'file',
    '--config-file': 'file',
    '--log-file': 'file',
    '--json-file': 'file',
    '--output-directory': 'folder',
  };
  return values[flag] ?? 'any';
}

/** The names in all dialects, because the script does not know which organization will be scanned. */
function frameworkNames(): readonly string[] {
  const dialects = Object.values(DIALECTS);
  return [
    ...new Set(ALL_FRAMEWORKS.flatMap((framework) => dialects.map((dialect) => framework.name(dialect)))),
  ];
}

import type { Check } from '../checks/check.ts';
import { checksForDialect } from '../checks/dialect-checks.ts';
import { ALL_FRAMEWORKS, checksOf, reportedFrameworks } from '../compliance/all-frameworks.ts';
import { defaultConfig, readConfigFile } from '../config-file/read-config-file.ts';
import type { Dialect } from '../directory/dialect.ts';
import { checkIdForDialect } from '../directory/dialect-names.ts';
import { readMutelist } from '../mutelist/read-mutelist.ts';
import {
  categoriesOf,
  readChecksFile,
  type Selection,
  selectChecks,
  servicesOf,
} from '../selection/select-checks.ts';
import { createLog } from '../terminal/log.ts';
import { type Screen, shouldUseColors } from '../terminal/screen.ts';
import { type DirectoryFlags, readDirectoryFlags } from './directory-options.ts';
import type { ProgramContext } from './program.ts';

/**
 * Runs `scanner directory`, which prints a list or scans an organization. Resolves with the exit code 0, 3 or 4, or
 * throws a ScannerError. All files that the command line names are read before the first request.
 */
export async function runDirectory(parsed: unknown, context: ProgramContext): Promise<number> {
  const { env, stdout, screen, version } = context;
  const flags = readDirectoryFlags(parsed, env);
  const { dialect } = flags;
  const log = createLog(screen, flags.logLevel, flags.logFile);
  const config =
    flags.configFile === undefined ? defaultConfig() : await readConfigFile(flags.configFile, dialect, log);
  const allChecks = checksForDialect(dialect);
  const ids = allChecks.map(({ id }) => id);
  const mutelist =
    flags.mutelistFile === undefined ? undefined : await readMutelist(flags.mutelistFile, ids, log);
  const idsOf = (words: readonly string[]) => words.map((word) => checkIdForDialect(dialect, word));
  const selection: Selection = {
    checks: idsOf(flags.checks),
    checksOfFile:
      flags.checksFile === undefined ? undefined : idsOf(await readChecksFile(flags.checksFile, dialect)),
    services: flags.services,
    severities: flags.severity,
    categories: flags.categories,
    compliance: flags.compliance,
    excludedChecks: idsOf([...flags.excludedChecks, ...config.excludedChecks]),
    excludedServices: [...flags.excludedServices, ...config.excludedServices],
  };
  const checks = selectChecks(allChecks, selection, dialect);
  if (printLists(flags, checks, screen)) return 0;

  // Loaded on demand, because these modules account for half of the startup time and are not needed to print a list.
  const { scan } = await import('./scan.ts');
  const colors = shouldUseColors(stdout, flags.color, env);
  const frameworks = reportedFrameworks(flags.compliance, checks, allChecks, dialect);
  return await scan({ flags, checks, frameworks, config, mutelist, version, env, screen, colors, log });
}

/** Prints the list that a `--list-*` flag requests. Returns false if there is no such flag. */
function printLists(flags: DirectoryFlags, chosen: readonly Check[], screen: Screen): boolean {
  const text = listText(flags, chosen);
  if (text === undefined) return false;
  screen.result(text);
  return true;
}

function listText(flags: DirectoryFlags, chosen: readonly Check[]): string | undefined {
  if (flags.listChecks) return checkLines(chosen);
  if (flags.listChecksJson) return checksFile(chosen, flags.dialect);
  if (flags.listServices) return countedLines(servicesOf(chosen), chosen, ({ service }) => service);
  if (flags.listCategories) return countedLines(categoriesOf(chosen), chosen, ({ category }) => category);
  if (flags.listCompliance) return frameworkLines(chosen, flags.dialect);
  return undefined;
}

function checkLines(checks: readonly Check[]): string {
  const lines = checks.map(
    ({ id, title, service, severity }) => `[${id}] ${title} - ${service} [${severity}]`,
  );
  return `${lines.join('\n')}\n\n${checkCount(checks.length)}\n`;
}

/** The format of `--checks-file`. */
function checksFile(checks: readonly Check[], dialect: Dialect): string {
  return `${JSON.stringify({ [dialect.name]: checks.map(({ id }) => id) }, null, 2)}\n`;
}

function countedLines(
  names: readonly string[],
  checks: readonly Check[],
  nameOf: (check: Check) => string,
): string {
  return names
    .map((name) => `${name} (${checkCount(checks.filter((check) => nameOf(check) === name).length)})\n`)
    .join('');
}

function frameworkLines(checks: readonly Check[], dialect: Dialect): string {
  return ALL_FRAMEWORKS.map(
    (framework) =>
      `${framework.name(dialect)} (${checkCount(checksOf(framework, checks, dialect).length)})\n`,
  ).join('');
}

function checkCount(count: number): string {
  return count === 1 ? '1 check' : `${count} checks`;
}

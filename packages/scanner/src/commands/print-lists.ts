import type { Check } from '../checks/check.ts';
import { ALL_FRAMEWORKS, checksOf } from '../compliance/all-frameworks.ts';
import type { Screen } from '../console/screen.ts';
import type { Dialect } from '../directory/dialect.ts';
import { categoriesOf, servicesOf } from '../selection/known-values.ts';
import type { DirectoryFlags } from './directory-flags.ts';

/** Prints the list that a `--list-*` flag requests. Returns false if there is no such flag. */
export function printLists(flags: DirectoryFlags, chosen: readonly Check[], screen: Screen): boolean {
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

function frameworkLines(checks: readonly Check[], dialect: Dialect): string {
  return ALL_FRAMEWORKS.map(
    (framework) =>
      `${framework.name(dialect)} (${checkCount(checksOf(framework, checks, dialect).length)})\n`,
  ).join('');
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

function checkCount(count: number): string {
  return count === 1 ? '1 check' : `${count} checks`;
}

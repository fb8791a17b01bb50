import { z } from 'zod';
import { type Check, SEVERITIES } from '../checks/check.ts';
import { checksOf, namedFrameworks } from '../compliance/all-frameworks.ts';
import type { Dialect } from '../directory/dialect.ts';
import { ScannerError } from '../lib/errors.ts';
import { matchKnownValues } from '../lib/known-values.ts';
import { readYamlFile } from '../lib/yaml-file.ts';

/** The values of `--status`: the finding statuses, and `MUTED` for muted findings. */
export const STATUSES = ['PASS', 'FAIL', 'MANUAL', 'MUTED'] as const;
export type StatusFilter = (typeof STATUSES)[number];

/** The values of the flags. An empty list selects everything. */
export interface Selection {
  readonly checks: readonly string[];
  /** The checks of `--checks-file`; `undefined` without that flag. */
  readonly checksOfFile: readonly string[] | undefined;
  readonly services: readonly string[];
  readonly severities: readonly string[];
  readonly categories: readonly string[];
  readonly compliance: readonly string[];
  readonly excludedChecks: readonly string[];
  readonly excludedServices: readonly string[];
}

interface Filter {
  /** The filter as given on the command line, such as `--services signon`. */
  readonly label: string;
  readonly matches: (check: Check) => boolean;
}

/**
 * Returns the checks that match all filters, in the order of `all`. Throws a ScannerError (exit code 2) for an unknown
 * value, or with the code `empty_selection` if no checks remain. The message for an empty selection contains the number
 * of checks remaining after each filter.
 */
export function selectChecks(
  all: readonly Check[],
  selection: Selection,
  dialect: Dialect,
): readonly Check[] {
  const filters = filtersOf(all, selection, dialect);
  let left = all;
  const steps: string[] = [];
  for (const { label, matches } of filters) {
    left = left.filter(matches);
    steps.push(`${label} leaves ${left.length}`);
    if (left.length === 0) break;
  }
  if (left.length > 0) return left;
  throw new ScannerError(
    'empty_selection',
    `no checks are selected: of ${all.length} checks, ${steps.join(', ')}; run scanner directory --list-checks to list all`,
    { exitCode: 2 },
  );
}

function filtersOf(all: readonly Check[], selection: Selection, dialect: Dialect): readonly Filter[] {
  const ids = all.map(({ id }) => id);
  const check = { noun: 'check', listedBy: 'scanner directory --list-checks' };
  const service = { noun: 'service' };
  const filters: Filter[] = [];
  const keep = <Word extends string>(
    flag: string,
    words: readonly Word[],
    wordOf: (check: Check) => string,
  ) => {
    const wanted = new Set<string>(words);
    filters.push({ label: labelOf(flag, words), matches: (candidate) => wanted.has(wordOf(candidate)) });
  };
  const drop = (flag: string, words: readonly string[], wordOf: (check: Check) => string) => {
    const unwanted = new Set(words);
    filters.push({ label: labelOf(flag, words), matches: (candidate) => !unwanted.has(wordOf(candidate)) });
  };
  const { checks, checksOfFile, services, severities, categories } = selection;
  if (checks.length > 0) keep('--checks', matchKnownValues(checks, ids, check), ({ id }) => id);
  if (checksOfFile !== undefined)
    keep('--checks-file', matchKnownValues(checksOfFile, ids, check), ({ id }) => id);
  if (services.length > 0)
    keep('--services', matchKnownValues(services, servicesOf(all), service), (one) => one.service);
  if (severities.length > 0)
    keep('--severity', matchKnownValues(severities, SEVERITIES, { noun: 'severity' }), (one) => one.severity);
  if (categories.length > 0)
    keep(
      '--categories',
      matchKnownValues(categories, categoriesOf(all), { noun: 'category' }),
      (one) => one.category,
    );
  if (selection.compliance.length > 0) {
    const named = namedFrameworks(selection.compliance, dialect);
    const mapped = named.flatMap((framework) => checksOf(framework, all, dialect).map(({ id }) => id));
    const names = named.map((framework) => framework.name(dialect));
    filters.push({
      label: labelOf('--compliance', names),
      matches: ({ id }) => mapped.includes(id),
    });
  }
  if (selection.excludedChecks.length > 0)
    drop('--excluded-checks', matchKnownValues(selection.excludedChecks, ids, check), ({ id }) => id);
  if (selection.excludedServices.length > 0) {
    const unwanted = matchKnownValues(selection.excludedServices, servicesOf(all), service);
    drop('--excluded-services', unwanted, (one) => one.service);
  }
  return filters;
}

/** Long lists are abbreviated so that the count after them remains visible. */
function labelOf(flag: string, words: readonly string[]): string {
  return words.length <= 3 ? [flag, ...words].join(' ') : `${flag} with ${words.length} values`;
}

/** The services of the checks, sorted by name. */
export function servicesOf(checks: readonly Check[]): readonly string[] {
  return [...new Set(checks.map(({ service }) => service))].sort();
}

/** The categories of the checks, sorted by name. */
export function categoriesOf(checks: readonly Check[]): readonly string[] {
  return [...new Set(checks.map(({ category }) => category))].sort();
}

/**
 * Reads the check IDs, for any dialect, from a file in the format of `--list-checks-json`. Throws a ScannerError with
 * the code `checks_file` (exit code 2) that names the file, line and column.
 */
export async function readChecksFile(path: string, { name }: Dialect): Promise<readonly string[]> {
  const names = z.array(z.string('must be a check ID'), 'must be a list of check IDs');
  const schema = z.record(z.string(), names, 'must be {"directory": ["CHECK", ...]}');
  const file = await readYamlFile(path, schema, { code: 'checks_file', flag: '--checks-file' });
  const checks = file.value[name] ?? file.value.directory ?? file.value.okta;
  if (checks === undefined) throw file.errorAt([], `has no list of checks under "${name}"`);
  return splitList(checks);
}

/** Splits the values of a list flag at commas and white space, without duplicates. */
export function splitList(values: readonly string[]): readonly string[] {
  const words = values.flatMap((value) => value.split(/[\s,]+/)).filter((word) => word !== '');
  return [...new Set(words)];
}

import { z } from 'zod';
import type { Thresholds } from '../checks/check.ts';
import { LIMIT_NAMES, STIG_LIMITS } from '../checks/stig-limits.ts';
import type { Dialect } from '../directory/dialect.ts';
import { suggestion } from '../lib/known-values.ts';
import { readYamlFile, type YamlFile } from '../lib/yaml-file.ts';
import type { Log } from '../terminal/log.ts';
import { BARE_KEYS, type ConfigKeys, configSchema, LIMIT_KEYS } from './config-schema.ts';

/** Issuers that belong to the DoD and its External Certification Authorities (ECA). */
const DEFAULT_ISSUERS = [/\bOU=DoD\b/, /\bOU=ECA\b/] as const;

/** The settings of `--config-file`; `undefined` selects the scanner's default. */
export interface ScanConfig {
  readonly thresholds: Thresholds;
  readonly requestsPerSecond: number | undefined;
  readonly maxRetries: number | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly excludedChecks: readonly string[];
  readonly excludedServices: readonly string[];
}

/** The default configuration, with the STIG limits. */
export function defaultConfig(): ScanConfig {
  return toConfig({}, approvedIssuers([], false));
}

/**
 * Reads the section `directory:` or `okta:` of a configuration file. Warns about unknown keys and sections. Throws a
 * ScannerError with the code `config_file` (exit code 2) that names the file, line and column.
 */
export async function readConfigFile(path: string, dialect: Dialect, log: Log): Promise<ScanConfig> {
  const content = z
    .record(z.string(), z.unknown(), 'must be a mapping with sections such as directory:')
    .nullable();
  const file = await readYamlFile(path, content, { code: 'config_file', flag: '--config-file' });
  const sections = [...new Set([dialect.name, 'directory'])];
  const given = Object.keys(file.value ?? {});
  const section = sections.find((name) => given.includes(name));
  for (const name of given.filter((other) => other !== section)) {
    const known = suggestion(name, sections, `settings for this scan belong under ${sections[0]}:`);
    log.warn(`${file.position([name])}: unknown section '${name}'${known}`);
  }
  if (section === undefined) return defaultConfig();
  return readSection(file, section, dialect, log);
}

function readSection(
  file: YamlFile<Readonly<Record<string, unknown>> | null>,
  section: string,
  dialect: Dialect,
  log: Log,
): ScanConfig {
  const content = z.record(z.string(), z.unknown()).nullable().safeParse(file.value?.[section]);
  if (!content.success) throw file.errorAt([section], 'must be a mapping of keys to values');
  const typedKeys = new Map<string, string>();
  const values = Object.entries(content.data ?? {}).map(([typed, value]) => {
    const key = withoutPrefix(typed, dialect);
    const other = typedKeys.get(key);
    if (other !== undefined) throw file.errorAt([section, typed], `${typed} duplicates ${other}`);
    typedKeys.set(key, typed);
    return [key, value] as const;
  });
  const pathOf = (key: PropertyKey | undefined, ...rest: PropertyKey[]) =>
    key === undefined ? [section] : [section, typedKeys.get(String(key)) ?? key, ...rest];
  const parsed = configSchema.safeParse(Object.fromEntries(values));
  if (!parsed.success) {
    const { path = [], message = '' } = parsed.error.issues[0] ?? {};
    throw file.errorAt(pathOf(path[0], ...path.slice(1)), `${String(pathOf(path[0]).at(-1))} ${message}`);
  }
  warnAboutUnknownKeys(typedKeys, section, file, log);
  warnAboutLessStrictLimits(parsed.data, (key) => file.position(pathOf(key)), log);
  const patterns = parsed.data.dod_approved_ca_issuer_patterns ?? [];
  const replace = parsed.data.dod_approved_ca_issuer_patterns_replace === true;
  const key = 'dod_approved_ca_issuer_patterns';
  if (replace && patterns.length === 0)
    throw file.errorAt(pathOf(`${key}_replace`), `requires at least one pattern in ${key}`);
  return toConfig(
    parsed.data,
    approvedIssuers(patterns, replace, (index, reason) =>
      file.errorAt(pathOf(key, index), `'${patterns[index]}' is not a valid regular expression: ${reason}`),
    ),
  );
}

function withoutPrefix(typed: string, { name }: Dialect): string {
  if (BARE_KEYS.includes(typed)) return typed;
  const prefix = [`${name}_`, 'directory_'].find((start) => typed.startsWith(start));
  // A key that lacks the required prefix is treated as unknown.
  return prefix === undefined ? `?${typed}` : typed.slice(prefix.length);
}

function warnAboutUnknownKeys(
  typedKeys: ReadonlyMap<string, string>,
  section: string,
  file: YamlFile<unknown>,
  log: Log,
): void {
  const known = Object.keys(configSchema.shape);
  const spelled = known.map((key) => (BARE_KEYS.includes(key) ? key : `${section}_${key}`));
  for (const [key, typed] of typedKeys) {
    if (known.includes(key)) continue;
    const hint = suggestion(typed, spelled, `valid keys are ${spelled.join(', ')}`);
    log.warn(`${file.position([section, typed])}: unknown key '${typed}'${hint}`);
  }
}

function warnAboutLessStrictLimits(values: ConfigKeys, position: (key: string) => string, log: Log): void {
  const { thresholds } = toConfig(values, []);
  for (const name of LIMIT_NAMES) {
    const { max } = STIG_LIMITS[name];
    if (thresholds[name] > max)
      log.warn(
        `${position(LIMIT_KEYS[name])}: ${thresholds[name]} exceeds the STIG limit of ${max}; the requirement fails in all compliance results`,
      );
  }
}

/**
 * The approved issuer patterns in matching order: the defaults, then the configured patterns, which replace the
 * defaults if `replace` is true. If a pattern is not a valid regular expression, throws the error that `invalidPattern`
 * returns.
 */
function approvedIssuers(
  configured: readonly string[],
  replace: boolean,
  invalidPattern?: (index: number, reason: string) => Error,
): readonly RegExp[] {
  const patterns = configured.map((pattern, index) => {
    try {
      return new RegExp(pattern);
    } catch (error) {
      if (invalidPattern === undefined || !(error instanceof SyntaxError)) throw error;
      throw invalidPattern(index, error.message);
    }
  });
  return replace ? patterns : [...DEFAULT_ISSUERS, ...patterns];
}

function toConfig(values: ConfigKeys, issuers: readonly RegExp[]): ScanConfig {
  return {
    thresholds: {
      maxSessionIdleMinutes: values.max_session_idle_minutes ?? STIG_LIMITS.maxSessionIdleMinutes.max,
      maxSessionLifetimeMinutes:
        values.max_session_lifetime_minutes ?? STIG_LIMITS.maxSessionLifetimeMinutes.max,
      adminConsoleMaxIdleMinutes:
        values.admin_console_idle_timeout_max_minutes ?? STIG_LIMITS.adminConsoleMaxIdleMinutes.max,
      maxInactivityDays: values.user_inactivity_max_days ?? STIG_LIMITS.maxInactivityDays.max,
      approvedIssuers: issuers,
    },
    requestsPerSecond: values.requests_per_second,
    maxRetries: values.max_retries,
    timeoutSeconds: values.request_timeout,
    excludedChecks: values.excluded_checks ?? [],
    excludedServices: values.excluded_services ?? [],
  };
}

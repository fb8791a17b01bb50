/**
 * Fails where a production dependency or a package of dev-tools has a known vulnerability of level high or critical.
 * Registries that cannot be reached, and mirrors that offer no audit, are reported and fail nothing.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Audit {
  readonly what: string;
  readonly folder: string;
  readonly flags: readonly string[];
}

const AUDITS: readonly Audit[] = [
  { what: 'production dependencies', folder: '..', flags: ['--omit=dev'] },
  { what: 'dev-tools', folder: '../dev-tools', flags: [] },
];

/** What npm prints that audited; any other answer of it is that it could not. */
function countsOf(text: string): ReadonlyMap<string, number> | undefined {
  const report: unknown = parse(text);
  const counts = member(member(report, 'metadata'), 'vulnerabilities');
  if (typeof counts !== 'object' || counts === null) return undefined;
  return new Map(Object.entries(counts).map(([level, count]) => [level, Number(count)]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function member(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? new Map(Object.entries(of)).get(name) : undefined;
}

function reasonOf(text: string, stderr: string): string {
  const message = member(parse(text), 'message') ?? member(member(parse(text), 'error'), 'summary');
  const [line = ''] = stderr.split('\n').filter((words) => words.startsWith('npm error'));
  return typeof message === 'string' && message !== '' ? message : line || 'npm gave no reason';
}

/** Returns whether the registry gave an audit. */
function audit({ what, folder, flags }: Audit): boolean {
  const cwd = fileURLToPath(new URL(folder, import.meta.url));
  const words = ['audit', '--json', ...flags, '--fetch-retries=1', '--fetch-timeout=20000'];
  const options = { cwd, encoding: 'utf8', timeout: 120_000, maxBuffer: 2 ** 26 } as const;
  const { stdout, stderr, error } = spawnSync('npm', words, options);
  const counts = countsOf(stdout ?? '');
  if (counts === undefined) {
    const reason = error?.message ?? reasonOf(stdout, stderr);
    console.log(`audit: skipped, the registry gave no audit of the dependencies (${reason.split('\n')[0]})`);
    return false;
  }
  const [high, critical] = ['high', 'critical'].map((level) => counts.get(level) ?? 0);
  const all = `${counts.get('total') ?? 0} known vulnerabilities in ${what}, ${high} high, ${critical} critical`;
  console.log(`audit: ${all}`);
  if (high !== 0 || critical !== 0) {
    const place = folder === '..' ? '' : ` in ${what}`;
    console.log(`audit: failed; '${['npm audit', ...flags].join(' ')}'${place} names them`);
    process.exitCode = 1;
  }
  return true;
}

// A registry without audits is reported once.
for (const each of AUDITS) if (!audit(each)) break;

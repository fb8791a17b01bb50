/**
 * Fails if a production dependency or a dev-tools package has a known vulnerability of high or critical severity. If
 * the registry is unavailable or does not support audits, the audit is skipped with a message.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Audit {
  readonly name: string;
  readonly folder: string;
  readonly flags: readonly string[];
}

const AUDITS: readonly Audit[] = [
  { name: 'production dependencies', folder: '..', flags: ['--omit=dev'] },
  { name: 'dev-tools', folder: '../dev-tools', flags: [] },
];

/** Returns the vulnerability counts of a successful audit by severity, or `undefined` for any other output of npm. */
function parseCounts(text: string): ReadonlyMap<string, number> | undefined {
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

function member(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null
    ? new Map(Object.entries(object)).get(name)
    : undefined;
}

function reasonOf(text: string, stderr: string): string {
  const message = member(parse(text), 'message') ?? member(member(parse(text), 'error'), 'summary');
  const [line = ''] = stderr.split('\n').filter((text) => text.startsWith('npm error'));
  return typeof message === 'string' && message !== '' ? message : line || 'npm gave no reason';
}

/** Returns whether the registry supports audits. */
function audit({ name, folder, flags }: Audit): boolean {
  const cwd = fileURLToPath(new URL(folder, import.meta.url));
  const args = ['audit', '--json', ...flags, '--fetch-retries=1', '--fetch-timeout=20000'];
  const options = { cwd, encoding: 'utf8', timeout: 120_000, maxBuffer: 2 ** 26 } as const;
  const { stdout, stderr, error } = spawnSync('npm', args, options);
  const counts = parseCounts(stdout ?? '');
  if (counts === undefined) {
    const reason = error?.message ?? reasonOf(stdout, stderr);
    console.log(`audit: skipped, the registry did not return an audit (${reason.split('\n')[0]})`);
    return false;
  }
  const [high, critical] = ['high', 'critical'].map((level) => counts.get(level) ?? 0);
  const summary = `${counts.get('total') ?? 0} known vulnerabilities in ${name}, ${high} high, ${critical} critical`;
  console.log(`audit: ${summary}`);
  if (high !== 0 || critical !== 0) {
    const location = folder === '..' ? '' : ` in ${name}`;
    console.log(`audit: failed; run '${['npm audit', ...flags].join(' ')}'${location} for details`);
    process.exitCode = 1;
  }
  return true;
}

// Report only once that the registry does not support audits.
for (const each of AUDITS) if (!audit(each)) break;

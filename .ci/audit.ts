/**
 * Fails where a production dependency has a known vulnerability of level high or critical. Registries that cannot be
 * reached, and mirrors that offer no audit, are said to be so and hold nobody up.
 */
import { spawnSync } from 'node:child_process';

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

const words = ['audit', '--json', '--omit=dev', '--fetch-retries=1', '--fetch-timeout=20000'];
const { stdout, stderr, error } = spawnSync('npm', words, {
  encoding: 'utf8',
  timeout: 120_000,
  maxBuffer: 2 ** 26,
});
const counts = countsOf(stdout ?? '');
if (counts === undefined) {
  const reason = error?.message ?? reasonOf(stdout, stderr);
  console.log(`audit: skipped, the registry gave no audit of the dependencies (${reason.split('\n')[0]})`);
} else {
  const [high, critical] = ['high', 'critical'].map((level) => counts.get(level) ?? 0);
  const all = `${counts.get('total') ?? 0} known vulnerabilities in production dependencies, ${high} high, ${critical} critical`;
  console.log(`audit: ${all}`);
  if (high !== 0 || critical !== 0) {
    console.log("audit: failed; 'npm audit --omit=dev' names them");
    process.exitCode = 1;
  }
}

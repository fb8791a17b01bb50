import type { PushRequest } from './push-file.ts';

/** The command that sends the same upload again, quoted for a POSIX shell. The service then returns the same job. */
export function pushCommand(request: PushRequest): string {
  const { path, dryRun = false, coverage, provider, account, labels = {}, idempotencyKey } = request;
  const { waitSeconds, failOn } = request;
  const isWaitImplied = dryRun || failOn !== undefined;
  const words = [
    ...(waitSeconds === undefined || isWaitImplied ? [] : ['--wait']),
    ...(dryRun ? ['--dry-run'] : []),
    ...flag('--fail-on', failOn),
    ...flag('--coverage', coverage === 'partial' ? undefined : coverage),
    ...flag('--provider', provider),
    ...flag('--account', account),
    ...Object.entries(labels).flatMap(([key, value]) => flag('--label', `${key}=${value}`)),
    ...flag('--idempotency-key', idempotencyKey),
    path.startsWith('-') ? `./${path}` : path,
  ];
  return `scanner push ${words.map(quoted).join(' ')}`;
}

function flag(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value];
}

/** A word as a shell reads it: without quotes if no shell interprets its characters. */
function quoted(word: string): string {
  return /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

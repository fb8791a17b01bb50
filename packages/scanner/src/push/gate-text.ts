import { compareNewlyFailed } from '../client/newly-failed.ts';
import { oneLine } from '../http/response-text.ts';
import type { Paint } from '../terminal/formatting.ts';
import type { Screen } from '../terminal/screen.ts';
import { type GateResult, type ListedFinding, MAX_LISTED } from './gate.ts';
import type { PushOutcome } from './push-file.ts';

/** A pushed file as named in messages, and its outcome. */
export interface NamedOutcome {
  readonly name: string;
  readonly outcome: PushOutcome;
}

export interface GateOutput {
  readonly screen: Screen;
  readonly paint: Paint;
  /** Stdout is reserved for a JSON document, so only a gate that did not pass is printed, to stderr. */
  readonly isJson: boolean;
}

/** Prints the result of the gate for all files of a push. Prints nothing without a gate. */
export function printGate(pushed: readonly NamedOutcome[], { screen, paint, isJson }: GateOutput): void {
  const gates = pushed.flatMap(({ outcome: { gate } }) => gate ?? []);
  const [first] = gates;
  if (first === undefined) return;
  const condition = `severity ${first.severity} or worse`;
  const skipped = pushed.filter(({ outcome }) => outcome.gate?.result === 'not_evaluated');
  for (const reason of new Set(skipped.map(({ outcome }) => outcome.gate?.reason))) {
    const files = skipped.filter(({ outcome }) => outcome.gate?.reason === reason).map(({ name }) => name);
    const subject = pushed.length === 1 ? '' : ` for ${files.join(', ')}`;
    screen.notice(`The gate was not evaluated${subject}: ${reason}\n`);
  }
  if (gates.some(({ result }) => result === 'failed')) {
    const text = failureText(failedJobs(pushed), condition, paint);
    if (isJson) screen.notice(text);
    else screen.result(text);
  } else if (skipped.length === 0 && !isJson) {
    const passed = paint('green', 'passed');
    screen.result(`The gate ${passed}: no new, regressed or reopened findings have ${condition}.\n`);
  }
}

/** The failed gate of each job. Files with the same content have the same job. */
function failedJobs(pushed: readonly NamedOutcome[]): readonly GateResult[] {
  const jobs = new Map<string, GateResult>();
  for (const { outcome } of pushed) {
    const { gate, ingestion } = outcome;
    if (gate?.result === 'failed' && ingestion !== undefined) jobs.set(ingestion.id, gate);
  }
  return [...jobs.values()];
}

function failureText(failed: readonly GateResult[], condition: string, paint: Paint): string {
  const count = failed.reduce((sum, gate) => sum + (gate.count ?? 0), 0);
  const listed = failed
    .flatMap(({ findings }) => findings)
    .sort(compareNewlyFailed)
    .slice(0, MAX_LISTED);
  const more = listed.length === MAX_LISTED ? count - listed.length : 0;
  // A finding that was fixed after this job, such as before a repeated push, is counted, but not listed.
  const isStale = failed.some(
    ({ findings, reason, count }) => reason === null && findings.length < Math.min(count ?? 0, MAX_LISTED),
  );
  const reasons = new Set(failed.flatMap(({ reason }) => reason ?? []));
  const findings = count === 1 ? 'finding has' : 'findings have';
  const lines = [
    `The gate ${paint('red', 'failed')}: ${count} new, regressed or reopened ${findings} ${condition}.`,
    ...listed.map((finding) => `  ${findingLine(finding)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(isStale ? ['Findings that no longer fail, or that are now muted or resolved, are not listed.'] : []),
    ...[...reasons].map((reason) => `The findings cannot be listed: ${reason}`),
  ];
  return `${lines.join('\n')}\n`;
}

function findingLine({ severity, checkId, checkTitle, resource, account, url }: ListedFinding): string {
  const texts = [checkTitle ?? checkId, ...(resource === null ? [] : [resource]), account];
  return `${severity}: ${texts.map(oneLine).join(', ')}: ${url}`;
}

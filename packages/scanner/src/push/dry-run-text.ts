import type { DryRunReport, NewProvider } from '../client/index.ts';
import { oneLine } from '../http/response-text.ts';
import type { Paint } from '../terminal/formatting.ts';
import { changeLines, changesJson } from './change-text.ts';

/** The maximum number of new accounts to print. */
const MAX_ACCOUNTS = 20;

/** The effect that an upload would have, as lines of text. */
export function dryRunLines({ newProviders, findings, warnings }: DryRunReport, paint: Paint): string[] {
  const { total, listed } = newProviders;
  const shown = listed.slice(0, MAX_ACCOUNTS);
  const more = total - shown.length;
  return [
    `  New billed accounts: ${total === 0 ? 'none' : paint('yellow', String(total))}`,
    ...shown.map((account) => `    ${accountText(account)}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
    ...changeLines(findings),
    ...codeLines('Warnings', warnings),
  ];
}

function accountText({ type, account, name }: NewProvider): string {
  return oneLine(name ? `${type} ${account} (${name})` : `${type} ${account}`);
}

/** The numbers of errors or warnings by code. No line if there are none. */
export function codeLines(title: 'Errors' | 'Warnings', counts: Readonly<Record<string, number>>): string[] {
  const byCode = Object.entries(counts).map(([code, count]) => `${code} ${count}`);
  return byCode.length === 0 ? [] : [`  ${title} by code: ${byCode.join(', ')}`];
}

/** The machine-readable report, with the property names of the service API. */
export function dryRunJson({ findings, newProviders, errors, warnings }: DryRunReport) {
  return { findings: changesJson(findings), new_providers: newProviders, errors, warnings };
}

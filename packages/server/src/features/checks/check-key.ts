import type { CheckName } from './count-findings.ts';

/** The id of a check in this API; a provider type holds no dot, a check id may. */
export function checkKey({ provider_type, check_id }: CheckName): string {
  return `${provider_type}.${check_id}`;
}

/** The check of an id; `undefined` where the text can be none. */
export function parseCheckKey(text: string): CheckName | undefined {
  const dot = text.indexOf('.');
  // PostgreSQL's text refuses U+0000.
  if (dot < 0 || text.includes('\0')) return undefined;
  return { provider_type: text.slice(0, dot), check_id: text.slice(dot + 1) };
}

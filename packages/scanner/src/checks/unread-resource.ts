import type { ReadProblem } from '../directory/read.ts';
import type { EvaluatedResource } from './check.ts';

/**
 * Placeholder for data that could not be read, such as `log-streams-scope-missing` or `log-streams-retrieval-error`.
 */
export function unreadResource(prefix: string, { cause }: ReadProblem): EvaluatedResource {
  return cause === 'scope'
    ? { id: `${prefix}-scope-missing`, name: '(scope not granted)', data: null }
    : { id: `${prefix}-retrieval-error`, name: '(retrieval failed)', data: null };
}

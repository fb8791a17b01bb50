import type { Dialect } from '../../directory/dialect.ts';
import type { ReadProblem } from '../../directory/read.ts';
import { type EvaluatedResource, unreadVerdict, type Verdict } from '../check.ts';

/** What to do where a role below Super Administrator is in the way. */
export const ASSIGN_SUPER_ADMINISTRATOR =
  'Give the service app the role Super Administrator and scan again, or verify the requirement by hand.';

/**
 * The verdict where something that belongs to a first-party app could not be read: like `unreadVerdict`, but a refusal
 * has one remedy only, because no other role may read first-party apps.
 */
export function unreadFirstPartyVerdict(
  problem: ReadProblem,
  resource: EvaluatedResource,
  what: string,
  { title }: Dialect,
): Verdict {
  if (problem.cause !== 'role') return unreadVerdict(problem, resource, what);
  return {
    status: 'MANUAL',
    detail: `${what} could not be read: ${problem.detail}. ${title} shows it to the role Super Administrator only. ${ASSIGN_SUPER_ADMINISTRATOR}`,
    resource,
  };
}

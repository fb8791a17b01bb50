import type { Dialect } from '../../directory/dialect.ts';
import type { ReadProblem } from '../../directory/read-result.ts';
import { type EvaluatedResource, unreadVerdict, type Verdict } from '../check.ts';

/** Advice for a failed read that requires the Super Administrator role. */
export const ASSIGN_SUPER_ADMINISTRATOR =
  'Assign the Super Administrator role to the service app and scan again, or verify the requirement manually.';

/**
 * The verdict if a first-party app or its settings could not be read. Like `unreadVerdict`, except that the only remedy
 * for a 403 response is the Super Administrator role.
 */
export function unreadFirstPartyVerdict(
  problem: ReadProblem,
  resource: EvaluatedResource,
  subject: string,
  { title }: Dialect,
): Verdict {
  if (problem.cause !== 'role') return unreadVerdict(problem, resource, subject);
  return {
    status: 'MANUAL',
    detail: `${subject} could not be read: ${problem.detail}. ${title} returns this data only to the Super Administrator role. ${ASSIGN_SUPER_ADMINISTRATOR}`,
    resource,
  };
}

import type { Dialect } from '../../directory/dialect.ts';
import type { ReadProblem } from '../../directory/read.ts';
import { type EvaluatedResource, unreadVerdict, type Verdict } from '../check.ts';

/** Advice if a role below Super Administrator prevents the read. */
export const ASSIGN_SUPER_ADMINISTRATOR =
  'Assign the Super Administrator role to the service app and scan again, or verify the requirement manually.';

/**
 * The verdict if data of a first-party app could not be read. Like `unreadVerdict`, but a 403 has a single remedy, because only
 * Super Administrator can read first-party apps.
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
    detail: `${subject} could not be read: ${problem.detail}. ${title} returns it only to the Super Administrator role. ${ASSIGN_SUPER_ADMINISTRATOR}`,
    resource,
  };
}

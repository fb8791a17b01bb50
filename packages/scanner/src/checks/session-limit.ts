import type { Verdict } from './check.ts';

/** What was found, without the resource that it was found on. */
export type Outcome = Pick<Verdict, 'status' | 'detail'>;

/**
 * Evaluates a limit on the length of a session. A limit that is missing or 0 is no limit, and fails.
 *
 * @param subject The limit as a sentence begins with it: `The idle timeout of rule "Office"`.
 * @param observed Minutes.
 * @param longest Minutes that are still allowed.
 */
export function evaluateSessionLimit(subject: string, observed: number | null, longest: number): Outcome {
  const required = `required is a limit of 1 to ${minutes(longest)}`;
  if (observed === null) return { status: 'FAIL', detail: `${subject} is not defined; ${required}.` };
  if (observed <= 0) {
    return {
      status: 'FAIL',
      detail: `${subject} is ${minutes(observed)}, which disables the limit; ${required}.`,
    };
  }
  if (observed > longest) {
    return {
      status: 'FAIL',
      detail: `${subject} is ${minutes(observed)}, which exceeds the limit of ${minutes(longest)}.`,
    };
  }
  return {
    status: 'PASS',
    detail: `${subject} is ${minutes(observed)}, which is within the limit of ${minutes(longest)}.`,
  };
}

/** `1 minute`, `15 minutes`. */
export function minutes(count: number): string {
  return count === 1 ? '1 minute' : `${count} minutes`;
}

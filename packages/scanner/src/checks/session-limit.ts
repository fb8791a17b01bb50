import type { Verdict } from './check.ts';

/** A verdict without its resource, which the caller adds. */
export type Outcome = Pick<Verdict, 'status' | 'detail'>;

/**
 * Evaluates a limit on the duration of a session. A missing limit, or a limit of 0, fails.
 *
 * @param subject The subject of the sentence, such as `The idle timeout of rule "Office"`.
 * @param observed The observed limit in minutes.
 * @param longest The maximum number of minutes.
 */
export function evaluateSessionLimit(subject: string, observed: number | null, longest: number): Outcome {
  const required = `A limit of 1 to ${minutes(longest)} is required.`;
  if (observed === null) return { status: 'FAIL', detail: `${subject} is not defined. ${required}` };
  if (observed <= 0) {
    return {
      status: 'FAIL',
      detail: `${subject} is ${minutes(observed)}, which disables the limit. ${required}`,
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

/** Formats a duration, such as `1 minute` or `15 minutes`. */
export function minutes(count: number): string {
  return count === 1 ? '1 minute' : `${count} minutes`;
}

import type { PasswordPolicy } from '../../directory/snapshot.ts';
import type { PasswordRequirement } from './password-policies.ts';

/** A setting of password policies that is a number; where it is not set, the policy does not comply. */
export interface NumericSetting {
  readonly required: string;
  value(policy: PasswordPolicy): number | null;
  /** `has a minimum length of 14 characters` */
  states(value: number): string;
  /** `sets no minimum length` */
  readonly unset: string;
  complies(value: number): boolean;
}

export function numericRequirement({
  required,
  value,
  states,
  unset,
  complies,
}: NumericSetting): PasswordRequirement {
  return {
    required,
    states(policy) {
      const number = value(policy);
      return number === null ? unset : states(number);
    },
    complies(policy) {
      const number = value(policy);
      return number !== null && complies(number);
    },
  };
}

/** At least one character of a kind, `uppercase letter`, in every password. */
export function characterRequirement(
  kind: string,
  value: (policy: PasswordPolicy) => number | null,
): PasswordRequirement {
  return numericRequirement({
    required: `at least 1 ${kind} in every password`,
    value,
    states: (count) => `requires at least ${pluralize(count, kind)}`,
    unset: `sets no minimum number of ${kind}s`,
    complies: (count) => count >= 1,
  });
}

/** `1 day`, `60 days`. */
export function pluralize(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

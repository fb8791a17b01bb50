import type { PasswordPolicy } from '../../directory/snapshot.ts';
import type { PasswordRequirement } from './password-policies.ts';

/** A requirement for a numeric setting of password policies. A policy without the setting is not compliant. */
export interface NumericSetting {
  readonly required: string;
  value(policy: PasswordPolicy): number | null;
  /** The setting as a predicate, such as `has a minimum length of 14 characters`. */
  describe(value: number): string;
  /** The predicate for a missing setting, such as `does not set a minimum length`. */
  readonly unset: string;
  complies(value: number): boolean;
}

export function numericRequirement({
  required,
  value,
  describe,
  unset,
  complies,
}: NumericSetting): PasswordRequirement {
  return {
    required,
    describe(policy) {
      const number = value(policy);
      return number === null ? unset : describe(number);
    },
    complies(policy) {
      const number = value(policy);
      return number !== null && complies(number);
    },
  };
}

/** Requires at least one character of a type, such as `uppercase letter`. */
export function characterRequirement(
  characterType: string,
  value: (policy: PasswordPolicy) => number | null,
): PasswordRequirement {
  return numericRequirement({
    required: `at least 1 ${characterType}`,
    value,
    describe: (count) => `has a minimum of ${pluralize(count, characterType)}`,
    unset: `does not set a minimum number of ${characterType}s`,
    complies: (count) => count >= 1,
  });
}

/** Formats a number with its unit, such as `1 day` or `60 days`. */
export function pluralize(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

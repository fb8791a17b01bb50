import type { TopRuleRequirement } from './first-party-app.ts';

/** A rule that lets nobody in with one factor. */
export const TWO_FACTORS: TopRuleRequirement = {
  wanted:
    'factor mode 2FA, that is a password or identity provider and another factor, or any two factor types',
  meets: ({ factorMode }) => factorMode === '2FA',
  describe: ({ factorMode }) => `has factor mode ${factorMode || 'unset'}`,
};

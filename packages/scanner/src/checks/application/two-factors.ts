import { ruleRequirement } from './rule-requirement.ts';

/** A rule that lets nobody in with one factor. */
export const TWO_FACTORS = ruleRequirement({
  wanted:
    'factor mode 2FA, that is a password or identity provider and another factor, or any two factor types, or authentication method chains that prove two factor types in every alternative',
  evaluateAssurance: ({ factorMode }) => ({
    status: factorMode === '2FA' ? 'PASS' : 'FAIL',
    seen: `has factor mode ${factorMode || 'unset'}`,
  }),
  isEnough: ({ classes }) => classes.size >= 2,
});

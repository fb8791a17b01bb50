import { ruleRequirement } from './rule-requirement.ts';

/** Requires that a rule never grants access with a single factor. */
export const TWO_FACTORS = ruleRequirement({
  required:
    'factor mode 2FA (a password or identity provider plus another factor, or any two factor types), or authentication method chains with two factor types in every alternative',
  evaluateAssurance: ({ factorMode }) => ({
    status: factorMode === '2FA' ? 'PASS' : 'FAIL',
    observed: `has factor mode ${factorMode || 'unset'}`,
  }),
  isSufficient: ({ classes }) => classes.size >= 2,
});

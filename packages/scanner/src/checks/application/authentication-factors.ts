import type { AccessRule } from '../../directory/snapshot.ts';
import { type RuleOutcome, ruleRequirement } from './rule-requirement.ts';

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

/** Requires that a rule grants access only with a phishing-resistant possession factor. */
export const PHISHING_RESISTANT = ruleRequirement({
  required:
    'a phishing-resistant possession factor in every constraint, or in every alternative of its authentication method chains',
  evaluateAssurance,
  isSufficient: ({ phishingResistant }) => phishingResistant,
});

/** Constraints are alternatives: a user can choose the weakest one. */
function evaluateAssurance({ phishingResistant }: AccessRule): RuleOutcome {
  const { length } = phishingResistant;
  if (length === 0) return { status: 'FAIL', observed: 'has no constraints' };
  const required = phishingResistant.filter((value) => value === 'REQUIRED').length;
  return {
    status: required === length ? 'PASS' : 'FAIL',
    observed: `requires a phishing-resistant possession factor in ${required} of ${length} constraints`,
  };
}

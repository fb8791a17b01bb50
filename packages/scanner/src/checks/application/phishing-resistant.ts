import type { AccessRule } from '../../directory/snapshot.ts';
import { type RuleOutcome, ruleRequirement } from './rule-requirement.ts';

/** A rule that lets nobody in without a possession factor which cannot be phished. */
export const PHISHING_RESISTANT = ruleRequirement({
  wanted:
    'a phishing-resistant possession factor in every constraint, or in every alternative of its authentication method chains',
  evaluateAssurance,
  isEnough: ({ phishingResistant }) => phishingResistant,
});

/** Constraints are alternatives: a user may choose the weakest. */
function evaluateAssurance({ phishingResistant }: AccessRule): RuleOutcome {
  const { length } = phishingResistant;
  if (length === 0) return { status: 'FAIL', seen: 'has no constraints' };
  const required = phishingResistant.filter((value) => value === 'REQUIRED').length;
  return {
    status: required === length ? 'PASS' : 'FAIL',
    seen: `requires a phishing-resistant possession factor in ${required} of its ${length} ${length === 1 ? 'constraint' : 'constraints'}`,
  };
}

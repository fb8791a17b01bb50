import type { AccessRule } from '../../directory/snapshot.ts';
import type { Status } from '../check.ts';
import { chainPaths, type ProvenFactors } from './method-chains.ts';

/** A check's requirement for each rule that grants access in an app's sign-on policy. */
export interface RuleRequirement {
  /** The required setting as a noun phrase, such as `factor mode 2FA`. */
  readonly required: string;
  evaluate(rule: AccessRule): RuleOutcome;
}

export interface RuleOutcome {
  readonly status: Status;
  /** The setting of the rule as a predicate, such as `has factor mode 1FA`. */
  readonly observed: string;
}

/** A requirement for each of Okta's two rule types. */
export interface Verification {
  readonly required: string;
  /** A rule with a factor mode and constraints. */
  evaluateAssurance(rule: AccessRule): RuleOutcome;
  /** Whether one path through the authentication method chains is sufficient. */
  isSufficient(proven: ProvenFactors): boolean;
}

/** Evaluates a rule according to its type. For an unknown type, the result is MANUAL with the reason. */
export function ruleRequirement({
  required,
  evaluateAssurance,
  isSufficient,
}: Verification): RuleRequirement {
  return {
    required,
    evaluate: (rule) => {
      switch ((rule.verificationType || 'ASSURANCE').toUpperCase()) {
        case 'ASSURANCE':
          return evaluateAssurance(rule);
        case 'AUTH_METHOD_CHAIN':
          return evaluateChains(rule, isSufficient);
        default:
          return {
            status: 'MANUAL',
            observed: `uses the unsupported verification type ${rule.verificationType}`,
          };
      }
    },
  };
}

/** The weakest alternative determines the result. */
function evaluateChains({ chains }: AccessRule, isSufficient: Verification['isSufficient']): RuleOutcome {
  if (chains === null) return { status: 'MANUAL', observed: 'has unreadable authentication method chains' };
  const weak = chainPaths(chains).filter((path) => !isSufficient(path));
  const certain = weak.find(({ unknown }) => unknown.size === 0);
  if (certain !== undefined)
    return {
      status: 'FAIL',
      observed: `can be satisfied with the authentication method chain ${certain.methods}`,
    };
  const [uncertain] = weak;
  if (uncertain === undefined)
    return {
      status: 'PASS',
      observed: 'has authentication method chains in which every alternative meets the requirement',
    };
  const unknown = [...uncertain.unknown].join(', ');
  return {
    status: 'MANUAL',
    observed: `has the authentication method chain ${uncertain.methods}, and this check does not recognize ${unknown}`,
  };
}

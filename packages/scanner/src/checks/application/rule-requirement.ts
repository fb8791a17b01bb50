import type { AccessRule } from '../../directory/snapshot.ts';
import type { Status } from '../check.ts';
import { chainPaths, type ProvenFactors } from './method-chains.ts';

/** What a check asks of each rule of an app's sign-on policy that lets users in. */
export interface RuleRequirement {
  /** `factor mode 2FA` */
  readonly wanted: string;
  evaluate(rule: AccessRule): RuleOutcome;
}

export interface RuleOutcome {
  readonly status: Status;
  /** What the rule has, as the end of a sentence: `has factor mode 1FA`. */
  readonly seen: string;
}

/** What a requirement asks of the two kinds of rules that Okta has. */
export interface Verification {
  readonly wanted: string;
  /** A rule with a factor mode and constraints. */
  evaluateAssurance(rule: AccessRule): RuleOutcome;
  /** Whether one way through authentication method chains is enough. */
  isEnough(proven: ProvenFactors): boolean;
}

/** Evaluates a rule by its kind. What is of another kind, or cannot be understood, is MANUAL with the reason. */
export function ruleRequirement({ wanted, evaluateAssurance, isEnough }: Verification): RuleRequirement {
  return {
    wanted,
    evaluate: (rule) => {
      switch ((rule.verificationType || 'ASSURANCE').toUpperCase()) {
        case 'ASSURANCE':
          return evaluateAssurance(rule);
        case 'AUTH_METHOD_CHAIN':
          return evaluateChains(rule, isEnough);
        default:
          return {
            status: 'MANUAL',
            seen: `verifies users by ${rule.verificationType}, which this check cannot evaluate`,
          };
      }
    },
  };
}

/** Chains are as strong as their weakest alternative. */
function evaluateChains({ chains }: AccessRule, isEnough: Verification['isEnough']): RuleOutcome {
  if (chains === null)
    return { status: 'MANUAL', seen: 'has authentication method chains that cannot be read' };
  const weak = chainPaths(chains).filter((way) => !isEnough(way));
  const certain = weak.find(({ unknown }) => unknown.size === 0);
  if (certain !== undefined)
    return { status: 'FAIL', seen: `has an authentication method chain of ${certain.methods} alone` };
  const [uncertain] = weak;
  if (uncertain === undefined)
    return {
      status: 'PASS',
      seen: 'has authentication method chains that meet the requirement in every alternative',
    };
  const unknown = [...uncertain.unknown].join(', ');
  return {
    status: 'MANUAL',
    seen: `has an authentication method chain of ${uncertain.methods}, and this check does not know what ${unknown} proves`,
  };
}

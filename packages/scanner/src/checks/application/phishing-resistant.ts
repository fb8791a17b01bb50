import type { TopRuleRequirement } from './first-party-app.ts';

/** A rule that asks for a possession factor which cannot be phished. Its constraints are alternatives: one is enough. */
export const PHISHING_RESISTANT: TopRuleRequirement = {
  wanted: 'at least 1 constraint with a phishing-resistant possession factor',
  meets: ({ phishingResistant }) => phishingResistant.includes('REQUIRED'),
  describe: ({ phishingResistant }) => {
    const { length } = phishingResistant;
    if (length === 0) return 'has no constraints';
    const required = phishingResistant.filter((value) => value === 'REQUIRED').length;
    return `requires a phishing-resistant possession factor in ${required} of its ${length} ${length === 1 ? 'constraint' : 'constraints'}`;
  },
};

import { ALL_CHECKS } from '../../../../scanner/src/checks/all-checks.ts';

// Loaded into a scanner before it starts (NODE_OPTIONS=--import=...): makes one of the checks fail internally.
const check = ALL_CHECKS.find(({ id }) => id === 'systemlog_streaming_enabled');
if (check === undefined) throw new Error('there is no such check to break');
Object.assign(check, {
  evaluate: () => {
    throw new TypeError('no such field');
  },
});

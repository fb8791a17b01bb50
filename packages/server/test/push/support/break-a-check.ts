import { ALL_CHECKS } from '../../../../scanner/src/checks/all-checks.ts';

// Makes one check fail with an internal error. A scanner loads this file with NODE_OPTIONS=--import=... before it starts.
const check = ALL_CHECKS.find(({ id }) => id === 'systemlog_streaming_enabled');
if (check === undefined) throw new Error('the check to break does not exist');
Object.assign(check, {
  evaluate: () => {
    throw new TypeError('no such field');
  },
});

import { largeOrganization, startEmulator } from '../packages/directory-emulator/src/index.ts';
import { ALL_CHECKS } from '../packages/scanner/src/checks/all-checks.ts';
import { evaluate } from '../packages/scanner/src/cli/scan.ts';
import { defaultConfig } from '../packages/scanner/src/config-file/read-config-file.ts';
import { DIALECTS } from '../packages/scanner/src/directory/dialect.ts';
import { connect } from '../packages/scanner/src/directory/directory.ts';
import { readDirectorySettings } from '../packages/scanner/src/directory/settings.ts';
import type { ResourceKey } from '../packages/scanner/src/directory/snapshot.ts';
import { minimumRequests } from './minimum-requests.ts';

const APPS = 5000;
const TOKENS = 2000;
const ROUNDS = 5;

// Reads a large organization without a rate limit, and evaluates it several times.
const organization = largeOrganization({ apps: APPS, tokens: TOKENS, seed: 1 });
const emulator = await startEmulator({ organization, role: 'super-admin' });
try {
  const dialect = DIALECTS.directory;
  const settings = await readDirectorySettings({
    env: emulator.environment(),
    flags: { requestsPerSecond: 0 },
    dialect,
  });
  const silent = () => undefined;
  const directory = await connect(settings, { debug: silent, info: silent, warn: silent, error: silent });
  const keys: readonly ResourceKey[] = [...new Set(ALL_CHECKS.flatMap(({ needs }) => needs))];
  const snapshot = await directory.read(keys);
  console.log(`${organization.apps.length} apps, ${organization.apiTokens.length} API tokens, 29 checks`);
  console.log(
    `${directory.requests.api} requests sent, ${minimumRequests(organization)} required to list everything once`,
  );

  const { thresholds } = defaultConfig();
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    const { findings } = evaluate({
      checks: ALL_CHECKS,
      snapshot,
      thresholds,
      dialect,
      orgDomain: directory.orgDomain,
      mutelist: undefined,
    });
    return { ms: performance.now() - start, findings: findings.length };
  }).sort((a, b) => a.ms - b.ms);
  const median = times[Math.floor(ROUNDS / 2)];
  console.log(`${median?.findings} findings evaluated in ${median?.ms.toFixed(0)} ms (median of ${ROUNDS})`);
} finally {
  await emulator.stop();
}

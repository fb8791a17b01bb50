import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largeOrganization } from '../../../directory-emulator/src/index.ts';
import { connectTo, emulate } from './support/connect-to.ts';
import { readValue } from './support/read-value.ts';

test('reads thousands of apps and tokens in pages of 200, without repeating requests for a policy, owner or group', async (context) => {
  const organization = largeOrganization({ apps: 5000, tokens: 2000, seed: 1 });
  const emulator = await emulate(context, { organization });
  const directory = await connectTo(emulator);
  const snapshot = await directory.read(['apps', 'apiTokens']);
  const apps = readValue(snapshot.apps);
  const tokens = readValue(snapshot.apiTokens);
  assert.equal(apps.length, organization.apps.length);
  assert.equal(tokens.length, organization.apiTokens.length);

  const policies = new Set(apps.flatMap(({ accessPolicy }) => accessPolicy?.id ?? []));
  const owners = new Set(tokens.map(({ userId }) => userId));
  const groups = new Set(
    organization.users.filter(({ id }) => owners.has(id)).flatMap((user) => user.groups),
  );
  const pages = Math.ceil(apps.length / 200) + Math.ceil(tokens.length / 200);
  const probe = 1;
  const least = probe + pages + policies.size + owners.size * 2 + groups.size;
  context.diagnostic(`${directory.requests.api} requests, ${least} needed`);
  assert.ok(directory.requests.api <= least, `${directory.requests.api} requests instead of ${least}`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EndpointBudget, endpointOf } from '../../src/directory/endpoint-budget.ts';

const inSeconds = (remaining: number, seconds: number) =>
  new Headers({
    'x-rate-limit-remaining': String(remaining),
    'x-rate-limit-reset': String(Math.floor(Date.now() / 1000) + seconds),
  });
const unexpected = () => assert.fail('reported a wait although no wait was in progress');

test('groups requests by endpoint, regardless of the IDs in their paths', () => {
  for (const [path, endpoint] of [
    ['/api/v1/apps', '/api/v1/apps'],
    ['/api/v1/policies/00p1/rules', '/api/v1/policies/{id}/rules'],
    ['/api/v1/users/00u1/roles', '/api/v1/users/{id}/roles'],
    ['/api/v1/brands/bnd1/pages/sign-in/default', '/api/v1/brands/{id}/pages/sign-in/default'],
    ['https://acme.okta.com/oauth2/v1/token', 'https://acme.okta.com/oauth2/v1/token'],
  ] as const)
    assert.equal(endpointOf(path), endpoint);
});

test('allows every request until a response reports a limit', async () => {
  const budget = new EndpointBudget();
  for (let count = 0; count < 100; count += 1) {
    await budget.waitForSlot(unexpected);
    assert.equal(budget.tryTake(), true);
  }
  budget.settle(new Headers());
  budget.settle(undefined);
  assert.equal(budget.tryTake(), true);
});

test('counts requests in progress against the remaining requests in the rate limit window', async () => {
  const budget = new EndpointBudget();
  assert.equal(budget.tryTake() && budget.tryTake() && budget.tryTake(), true);
  budget.settle(inSeconds(3, 60));
  assert.equal(budget.tryTake(), true, 'no request was allowed although one remained');
  assert.equal(budget.tryTake(), false);
  const slot = budget.waitForSlot(unexpected);
  budget.settle(inSeconds(2, 60));
  budget.settle(inSeconds(1, 60));
  budget.settle(inSeconds(1, 60));
  await slot;
  assert.equal(budget.tryTake(), true);
  assert.equal(budget.tryTake(), false);
});

test('waits for the end of the rate limit window when no requests remain, and reports the wait once', async () => {
  const budget = new EndpointBudget();
  budget.tryTake();
  budget.settle(inSeconds(0, 1));
  assert.equal(budget.tryTake(), false);
  const holds: number[] = [];
  await Promise.all([1, 2, 3].map(() => budget.waitForSlot((milliseconds) => holds.push(milliseconds))));
  assert.equal(holds.length, 1);
  assert.equal(budget.tryTake(), true);
});

test('does not wait for a rate limit window that has already ended or ends much later', () => {
  for (const seconds of [-500, 3600]) {
    const budget = new EndpointBudget();
    budget.tryTake();
    budget.settle(inSeconds(0, seconds));
    assert.equal(budget.tryTake(), true, `${seconds} s`);
  }
});

test('allows no requests until a requested delay has ended', async () => {
  const budget = new EndpointBudget();
  budget.pause(30);
  assert.equal(budget.tryTake(), false);
  await budget.waitForSlot(unexpected);
  assert.equal(budget.tryTake(), true);
});

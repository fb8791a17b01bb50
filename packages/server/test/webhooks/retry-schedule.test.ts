import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_ATTEMPTS, retryDelay } from '../../src/webhooks/retry-schedule.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('retryDelay', () => {
  it('spreads the attempts at a delivery over three days, with growing delays and a jitter of up to 10%', () => {
    const delays = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, at) => retryDelay(at + 1) ?? 0);
    assert.equal(delays.length, 9);
    for (const [at, delay] of delays.entries()) assert.ok(delay > (delays[at - 1] ?? 0), String(delays));
    const [first = 0] = delays;
    assert.ok(first >= 5000 && first <= 5500, String(first));
    const total = delays.reduce((sum, delay) => sum + delay, 0);
    assert.ok(total >= 3 * DAY_MS && total <= 3.6 * DAY_MS, String(total));
  });

  it('ends after the last attempt', () => assert.equal(retryDelay(MAX_ATTEMPTS), undefined));
});

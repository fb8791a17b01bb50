import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitAfterNetworkError, waitAfterResponse } from '../../src/http/retry-wait.ts';

const DATE = 'Sat, 21 Nov 2026 12:00:00 GMT';
const UNIX = Date.parse(DATE) / 1000;

test("computes the wait after a 429 relative to the server's clock", () => {
  const headers = new Headers({ date: DATE, 'x-rate-limit-reset': String(UNIX + 30) });
  assert.equal(waitAfterResponse(429, headers, 0), 31_000);
});

test('waits until the earliest of several rate limit resets', () => {
  const headers = new Headers([
    ['date', DATE],
    ['x-rate-limit-reset', String(UNIX + 50)],
    ['x-rate-limit-reset', String(UNIX + 20)],
  ]);
  assert.equal(waitAfterResponse(429, headers, 0), 21_000);
});

test('waits one second if the rate limit has already been reset', () => {
  const headers = new Headers({ date: DATE, 'x-rate-limit-reset': String(UNIX - 500) });
  assert.equal(waitAfterResponse(429, headers, 0), 1_000);
});

test('accepts Retry-After as seconds or a date, and uses the longer of several waits', () => {
  assert.equal(waitAfterResponse(503, new Headers({ 'retry-after': '7' }), 0), 7_000);
  const date = new Date(Date.now() + 20_000).toUTCString();
  const wait = waitAfterResponse(429, new Headers({ 'retry-after': date }), 0);
  assert.ok(wait > 15_000 && wait <= 20_000);
  const both = new Headers({ date: DATE, 'x-rate-limit-reset': String(UNIX + 5), 'retry-after': '60' });
  assert.equal(waitAfterResponse(429, both, 0), 60_000);
});

test('doubles the wait with jitter, up to a maximum, if the response has no relevant headers', () => {
  for (let retry = 0; retry < 20; retry += 1) {
    const most = Math.min(60_000, 500 * 2 ** retry);
    for (const wait of [waitAfterResponse(503, new Headers(), retry), waitAfterNetworkError(retry)])
      assert.ok(wait >= most / 2 && wait <= most, `${wait} of ${most}`);
  }
  const waits = Array.from({ length: 5 }, (_, retry) => waitAfterResponse(429, new Headers(), retry));
  assert.ok(
    waits.reduce((sum, wait) => sum + wait) >= 31_000,
    'the total wait is too short for a one-minute rate limit window',
  );
});

test('ignores malformed rate limit and Retry-After headers', () => {
  const headers = new Headers({ date: 'yesterday', 'x-rate-limit-reset': 'soon', 'retry-after': 'later' });
  const wait = waitAfterResponse(429, headers, 0);
  assert.ok(wait >= 1_000 && wait <= 2_000);
});

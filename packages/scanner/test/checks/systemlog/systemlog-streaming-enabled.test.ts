import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../src/checks/systemlog/systemlog-streaming-enabled.ts';
import { read, unread } from '../../../src/directory/read-result.ts';
import type { LogStream } from '../../../src/directory/snapshot.ts';
import { assertVerdicts, contextOf, FAILED_READS, scopeMissing } from '../evaluations.ts';

function logStream(fields: Partial<LogStream> = {}): LogStream {
  return { id: 'log-1', name: 'To the archive', status: 'ACTIVE', type: 'aws_eventbridge', ...fields };
}
const evaluate = (...logStreams: readonly LogStream[]) =>
  check.evaluate(contextOf({ logStreams: read(logStreams) }));

describe(check.id, () => {
  it('passes each active stream and ignores inactive streams', () => {
    const verdicts = evaluate(
      logStream({ id: 'b' }),
      logStream({ id: 'off', status: 'INACTIVE' }),
      logStream({ id: 'a', status: 'active', type: null }),
    );
    assertVerdicts(
      verdicts,
      ['PASS', 'b', /"To the archive" \(type aws_eventbridge\)/],
      ['PASS', 'a', /type unset/],
    );
  });

  it('treats a stream without a status as active', () => {
    assertVerdicts(evaluate(logStream({ status: null })), ['PASS', 'log-1']);
    assertVerdicts(evaluate(logStream({ status: '' })), ['PASS', 'log-1']);
  });

  it('returns one FAIL with the stream count if no stream is active', () => {
    const verdicts = evaluate(logStream({ status: 'INACTIVE' }), logStream({ id: 'log-2', status: 'ERROR' }));
    assertVerdicts(verdicts, [
      'FAIL',
      'directory-log-streams-inactive',
      /has no active log stream \(2 configured\)/,
    ]);
    assert.equal(verdicts[0]?.resource.name, '(no active Log Streams)');
  });

  it('returns one FAIL that mentions muting if there are no streams', () => {
    const verdicts = evaluate();
    assertVerdicts(verdicts, [
      'FAIL',
      'directory-log-streams-missing',
      /has no log stream\. .* mute this finding/,
    ]);
    assert.equal(verdicts[0]?.resource.name, '(no Log Streams configured)');
  });

  it('returns MANUAL when the streams could not be read', () => {
    const logStreams = unread<readonly LogStream[]>(scopeMissing('directory.logStreams.read'));
    const verdicts = check.evaluate(contextOf({ logStreams }));
    assertVerdicts(verdicts, [
      'MANUAL',
      'directory-log-streams-scope-missing',
      /directory\.logStreams\.read/,
    ]);
    for (const { problem, pattern } of FAILED_READS) {
      const failed = check.evaluate(contextOf({ logStreams: unread<readonly LogStream[]>(problem) }));
      assertVerdicts(failed, ['MANUAL', 'directory-log-streams-retrieval-error', pattern]);
    }
  });
});

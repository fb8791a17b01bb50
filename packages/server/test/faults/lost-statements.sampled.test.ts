import { describe } from 'node:test';
import { failsStatements } from './statement-loops.ts';

describe('ingestion in which one session after another is lost', () => {
  failsStatements([
    ['lost', 'the session ends before it is run', [503]],
    ['unknown', 'the session ends after it was run', [503]],
  ]);
});

import { describe } from 'node:test';
import { testFailingStatements } from './statement-loops.ts';

describe('fault injection into database sessions', () => {
  testFailingStatements([
    ['lost', 'the session ends before the statement', [503]],
    ['unknown', 'the session ends after the statement', [503]],
  ]);
});

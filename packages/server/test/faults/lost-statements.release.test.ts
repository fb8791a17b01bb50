import { describe } from 'node:test';
import { testFailingStatements } from './statement-loops.ts';

describe('fault injection into database sessions', () => {
  testFailingStatements([
    ['lost', 'a database session is lost just before a statement runs', [503]],
    ['unknown', 'a database session is lost just after a statement has run', [503]],
  ]);
});

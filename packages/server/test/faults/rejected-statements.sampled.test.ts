import { describe } from 'node:test';
import { testFailingStatements } from './statement-loops.ts';

describe('fault injection into SQL statements', () => {
  testFailingStatements([
    ['rejected', 'PostgreSQL rejects a statement', [503, 507]],
    ['rejected twice', 'PostgreSQL rejects a statement and the next statement in the session', [500, 503]],
  ]);
});

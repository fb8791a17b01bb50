import { describe } from 'node:test';
import { failsStatements } from './statement-loops.ts';

describe('ingestion in which PostgreSQL refuses one statement after another', () => {
  failsStatements([
    ['refused', 'the server refuses it', [503, 507]],
    ['refused twice', 'the server refuses it and the next one of the session', [500, 503]],
  ]);
});

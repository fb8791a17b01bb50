import { it } from 'node:test';
import type { Client } from './client.ts';
import { assertRefused } from './refusal.ts';

/** A description of an invalid query string, the query string, and the parameter that the response must name. */
export type WrongQuery = readonly [description: string, query: string, parameter: string];

/** Declares a test for each of these queries to an endpoint. `client` is called when a test runs. */
export function itRefusesQueries(path: string, client: () => Client, queries: readonly WrongQuery[]): void {
  for (const [description, query, parameter] of queries) {
    it(`returns 400 for ${description} in a query to ${path} and names the parameter`, async () => {
      const response = await client().get(`${path}?${query}`);
      assertRefused(response, {
        status: 400,
        code: 'invalid_parameter',
        detail: /\S/,
        source: { parameter },
      });
    });
  }
}

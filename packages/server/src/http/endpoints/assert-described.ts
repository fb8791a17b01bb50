import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

/**
 * Throws an error if the endpoint does not describe a response with this status, or if the document does not match the
 * schema of the described response.
 */
export function assertDescribed(
  { operationId, responses }: Pick<Endpoint, 'operationId' | 'responses'>,
  status: number,
  document: unknown,
): void {
  const described = responses[status];
  if (described === undefined)
    throw new Error(`${operationId} does not describe a response with status ${status}`);
  const isDescribed = described.schema !== undefined;
  if (isDescribed !== (document !== undefined))
    throw new Error(
      `${operationId} must ${isDescribed ? '' : 'not '}return a document with status ${status}`,
    );
  const result = described.schema?.safeParse(document);
  if (result?.error === undefined) return;
  throw new Error(
    `the response of ${operationId} with status ${status} does not match its schema: ${z.prettifyError(result.error)}`,
  );
}

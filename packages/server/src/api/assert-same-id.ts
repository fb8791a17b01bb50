import { ApiError } from '../jsonapi/errors.ts';

/** JSON:API 1.1, "Updating Resources": the document's id is that of the address. Throws an ApiError (409). */
export function assertSameId(inDocument: string, inAddress: string): void {
  if (inDocument.toLowerCase() === inAddress.toLowerCase()) return;
  throw new ApiError({
    status: 409,
    code: 'conflict',
    detail: '/data/id names another resource than the address does',
    source: { pointer: '/data/id' },
  });
}

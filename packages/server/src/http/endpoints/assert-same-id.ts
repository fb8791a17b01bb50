import { ApiError } from '../../jsonapi/errors.ts';

/** JSON:API 1.1, "Updating Resources": the id in the document must match the path. Throws an ApiError (409). */
export function assertSameId(documentId: string, pathId: string): void {
  if (documentId.toLowerCase() !== pathId.toLowerCase()) throw resourceMismatch('/data/id');
}

/** The 409 error for a document whose type or id does not match the path. */
export function resourceMismatch(pointer: string): ApiError {
  return new ApiError({
    status: 409,
    code: 'conflict',
    detail: 'The document identifies a different resource than the path.',
    source: { pointer },
  });
}

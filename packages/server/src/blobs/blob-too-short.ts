/** The error code for a file that ends before the requested bytes because it was never completed. */
export const BLOB_TOO_SHORT = 'BLOB_TOO_SHORT';

/** A blob has fewer bytes than were requested. */
export class BlobTooShort extends Error {
  readonly code = BLOB_TOO_SHORT;

  constructor(message: string) {
    super(message);
    this.name = 'BlobTooShort';
  }
}

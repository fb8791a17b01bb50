/** Of errors that say that a file ends before the bytes that were asked for: it was begun and never finished. */
export const BLOB_TOO_SHORT = 'BLOB_TOO_SHORT';

/** A file of the store has fewer bytes than were asked for. Objects of S3 are there as a whole or not at all. */
export class BlobTooShort extends Error {
  readonly code = BLOB_TOO_SHORT;

  constructor(message: string) {
    super(message);
    this.name = 'BlobTooShort';
  }
}

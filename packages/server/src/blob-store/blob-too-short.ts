/** Of errors that say that a file ends before the bytes that were asked for: it was begun and never finished. */
export const BLOB_TOO_SHORT = 'BLOB_TOO_SHORT';

/** A blob has fewer bytes than were asked for. */
export class BlobTooShort extends Error {
  readonly code = BLOB_TOO_SHORT;

  constructor(message: string) {
    super(message);
    this.name = 'BlobTooShort';
  }
}

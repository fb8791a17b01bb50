import { EXPORT_FORMATS, type ExportFormatName } from './export-formats.ts';
import { LineReader } from './line-reader.ts';

const BLOB_BYTES = 2 ** 20;

/** The content of an export. */
export class ExportFile {
  readonly #format: ExportFormatName;
  #lines: LineReader | undefined;
  /** The browser can store Blobs outside the page's memory. */
  #blobs: Blob[] = [];
  #chunks: Uint8Array<ArrayBuffer>[] = [];
  #chunkBytes = 0;
  #bytes = 0;

  constructor(format: ExportFormatName) {
    this.#format = format;
    this.clear();
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The number of findings, or `undefined` if the format does not have one line per finding. */
  get findings(): number | undefined {
    return this.#lines?.findings;
  }

  /** Reads the values of the last complete finding, after which the export can resume. */
  readLastFinding(): ReadonlyMap<string, unknown> | undefined {
    return this.#lines?.readLastFinding();
  }

  get hasIncompleteLine(): boolean {
    return this.#lines?.hasIncompleteLine ?? false;
  }

  write(chunk: Uint8Array<ArrayBuffer>): void {
    const complete = this.#lines?.read(chunk) ?? chunk;
    this.#chunks.push(complete);
    this.#chunkBytes += complete.length;
    this.#bytes += complete.length;
    if (this.#chunkBytes >= BLOB_BYTES) this.#flush();
  }

  /** Prepares for the next response: removes everything after the last complete finding. */
  rewind(): void {
    if (this.findings) this.#lines?.dropIncompleteLine();
    else this.clear();
  }

  toBlob(): Blob {
    this.#flush();
    return new Blob(this.#blobs, { type: EXPORT_FORMATS[this.#format].mediaType });
  }

  #flush(): void {
    this.#blobs.push(new Blob(this.#chunks));
    this.#chunks = [];
    this.#chunkBytes = 0;
  }

  /** Removes the whole content. */
  clear(): void {
    this.#lines = this.#format === 'ocsf' ? undefined : new LineReader(this.#format);
    this.#blobs = [];
    this.#chunks = [];
    this.#chunkBytes = 0;
    this.#bytes = 0;
  }
}

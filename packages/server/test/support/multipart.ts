/** A part of a multipart body, exactly as sent. */
export interface Part {
  /** The value of Content-Disposition after `form-data`, such as `; name="file"; filename="a.json"`. */
  readonly disposition: string;
  readonly content: string | Uint8Array;
  /** Additional header lines of the part. */
  readonly headers?: readonly string[];
}

export const BOUNDARY = 'a-boundary-of-a-test';
export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
export const CLOSING = `--${BOUNDARY}--\r\n`;

export function filePart(content: string | Uint8Array, fileName = 'findings.ocsf.json', name = 'file'): Part {
  return { disposition: `; name="${name}"; filename="${fileName}"`, content };
}

export function textPart(name: string, content: string): Part {
  return { disposition: `; name="${name}"`, content };
}

/** Returns everything before the content of a part. */
export function partHead({ disposition, headers = [] }: Omit<Part, 'content'>): string {
  const lines = [`--${BOUNDARY}`, `Content-Disposition: form-data${disposition}`, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Builds a multipart body (RFC 7578) byte by byte, to send requests that a well-behaved client would not send. */
export function multipart(parts: readonly Part[], closing = CLOSING): Buffer<ArrayBuffer> {
  const pieces = parts.flatMap((part) => [partHead(part), part.content, '\r\n']);
  return Buffer.concat([...pieces, closing].map((piece) => Buffer.from(piece)));
}

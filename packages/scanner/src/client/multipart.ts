import { randomUUID } from 'node:crypto';

/** A form with one file and text fields (RFC 7578). */
export interface Form {
  readonly fileName: string;
  readonly texts: Readonly<Record<string, string>>;
}

export interface FramedForm {
  /** The content type of the request. */
  readonly contentType: string;
  /** The bytes before and after the file content. */
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** Creates the bytes before and after a file, which is sent as the part `file`. */
export function frameForm({ fileName, texts }: Form): FramedForm {
  const boundary = `sluice-${randomUUID()}`;
  const parts = Object.entries(texts).map(
    ([name, text]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${text}\r\n`,
  );
  const file =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(fileName)}"\r\n` +
    'Content-Type: application/json\r\n\r\n';
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(`${parts.join('')}${file}`),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

/** Escapes the three characters that the HTML standard requires to be escaped (section "Multipart form data"). */
function quoted(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

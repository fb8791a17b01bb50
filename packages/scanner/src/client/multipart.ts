import { randomUUID } from 'node:crypto';

/** A form with one file and some texts (RFC 7578). */
export interface Form {
  readonly fileName: string;
  readonly texts: Readonly<Record<string, string>>;
}

export interface FramedForm {
  /** Of the whole request. */
  readonly contentType: string;
  /** What goes before the file's bytes, and after them. */
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** The bytes around a file that is sent as the part `file`. */
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

/** HTML, "Multipart form data": these three are escaped, everything else is kept. */
function quoted(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

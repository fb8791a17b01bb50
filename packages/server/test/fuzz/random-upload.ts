import { gzipSync, zstdCompressSync } from 'node:zlib';
import { mutate } from '../../../ocsf/test/fuzz/mutations.ts';
import { below, pick, seededRandom } from '../../../ocsf/test/fuzz/random.ts';
import { randomFile } from '../../../ocsf/test/fuzz/random-file.ts';
import { filePart, MULTIPART_TYPE, multipart, type Part, textPart } from '../support/multipart.ts';
import { record, without } from '../support/records.ts';

/** The content of a request and its known properties. */
export interface RandomUpload {
  readonly type: string;
  readonly contentType: string;
  readonly body: Buffer<ArrayBuffer>;
  /** The content of the file, if the enclosing request is valid. */
  readonly file: Buffer | undefined;
  /** How the file was compressed. */
  readonly coding: 'plain' | 'gzip' | 'zstd';
}

const CODINGS = ['plain', 'plain', 'plain', 'gzip', 'zstd'] as const;
const TYPES = [
  MULTIPART_TYPE,
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=another',
  `${MULTIPART_TYPE}; charset=utf-16`,
  `${MULTIPART_TYPE}; boundary=second`,
  'multipart/mixed; boundary=a-boundary-of-a-test',
  'application/json',
  'text/plain; charset=nonsense',
] as const;
const PART_HEADERS = [
  'Content-Type: application/json; charset=utf-16',
  'Content-Type: application/octet-stream',
  'Content-Type: nonsense',
  'Content-Encoding: gzip',
  'Content-Transfer-Encoding: base64',
  'Content-Length: 3',
  'X-Other: \x00',
  `X-Long: ${'x'.repeat(3000)}`,
] as const;
const DISPOSITIONS = [
  '; name="file"; filename="findings.ocsf.json"',
  '; name="file"',
  "; name=file; filename*=UTF-8''%f0%9f%98%80.json",
  '; name="file"; filename="../../etc/passwd"',
  '; name="file"; filename="a\\"b.json"',
  '; name="FILE"; filename="a.json"',
  '; filename="a.json"',
  '; name=""; filename="a.json"',
  `; name="file"; filename="${'ä'.repeat(400)}"`,
  '; name="file"; filename="\xff\xfe\x00"',
] as const;
const TEXTS = ['aws', '', ' ', 'x'.repeat(600), 'a\nb', '\u0000', 'ä', '{"a":1}'] as const;

/** Creates an upload from a seed: a file, usually damaged, in a request that is also damaged in half of the cases. */
export function randomUpload(seed: number): RandomUpload {
  const random = seededRandom(seed);
  const { type, file } = contentOf(random);
  const coding = pick(random, CODINGS);
  const compressed = coding === 'gzip' ? gzipSync(file) : coding === 'zstd' ? zstdCompressSync(file) : file;
  const valid = { contentType: MULTIPART_TYPE, file, coding };
  const part = filePart(compressed);
  switch (below(random, 8)) {
    case 0:
      return { ...valid, type: 'body', ...damaged(random, multipart([part])), file: undefined };
    case 1:
      return {
        ...valid,
        type: 'content type',
        contentType: pick(random, TYPES),
        body: multipart([part]),
        file: undefined,
      };
    case 2:
      return { ...valid, type: 'part', body: multipart(parts(random, compressed)), file: undefined };
    case 3: {
      const content = coding === 'plain' ? compressed : mutate(random, compressed).bytes;
      return {
        ...valid,
        type: `damaged ${coding}`,
        body: multipart([filePart(content)]),
        file: coding === 'plain' ? file : undefined,
      };
    }
    default:
      return { ...valid, type: `${type} file`, body: multipart([part]) };
  }
}

function contentOf(random: () => number): { readonly type: string; readonly file: Buffer } {
  if (random() < 0.3) return { type: 'any JSON', file: randomFile(random).bytes };
  const records = Array.from({ length: 1 + below(random, 6) }, (_, at) =>
    random() < 0.15
      ? without(
          pick(random, [
            'finding_info.uid',
            'metadata.event_code',
            'class_uid',
            'status_code',
            'cloud.account',
          ]),
        )
      : record({
          finding_info: { uid: `finding-${at}`, title: pick(random, ['a', 'ä€😀', '\u0000', '\ud800']) },
        }),
  );
  const file = Buffer.from(JSON.stringify(records, null, pick(random, [0, 2])));
  return random() < 0.3
    ? { type: 'findings', file }
    : { type: 'damaged findings', file: mutate(random, file).bytes };
}

/** Damages bytes in the boundaries and headers of a request rather than in its content. */
function damaged(random: () => number, body: Buffer): { readonly body: Buffer<ArrayBuffer> } {
  const head = body.indexOf('\r\n\r\n') + 4;
  const [start, end] =
    random() < 0.6 ? [0, head] : random() < 0.5 ? [body.length - 60, body.length] : [0, body.length];
  const from = Math.max(0, start);
  const changed = mutate(random, body.subarray(from, end)).bytes;
  return { body: Buffer.concat([body.subarray(0, from), changed, body.subarray(end)]) };
}

function parts(random: () => number, content: Buffer): readonly Part[] {
  const file: Part = {
    disposition: pick(random, DISPOSITIONS),
    content,
    headers: random() < 0.5 ? [pick(random, PART_HEADERS)] : [],
  };
  const text = () =>
    textPart(pick(random, ['provider', 'account', 'other', 'file', '']), pick(random, TEXTS));
  const all = [file, ...Array.from({ length: below(random, 4) }, text), ...(random() < 0.1 ? [file] : [])];
  return random() < 0.1 ? [] : all.sort(() => random() - 0.5);
}

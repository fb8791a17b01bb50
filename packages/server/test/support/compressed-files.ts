import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { arrayFile } from './array-file.ts';
import { record } from './records.ts';

/** The UIDs of the findings in the file. */
export const uids = Array.from({ length: 40 }, (_, index) => `finding-${index}`);
/** The content of all intact compressed files. */
export const file = Buffer.from(arrayFile(uids.map((uid) => record({ finding_info: { uid } }))).bytes);
const [head, middle, tail] = [file.subarray(0, 5000), file.subarray(5000, 9000), file.subarray(9000)];

/** A zstd frame, with a checksum if the flag is 1. */
export const zstd = (content: Buffer, checksum = 0) =>
  zstdCompressSync(content, { params: { [constants.ZSTD_c_checksumFlag]: checksum } });
export const skippable = (magic: number, content: string) => {
  const frame = Buffer.alloc(8 + content.length);
  frame.writeUInt32LE(magic, 0);
  frame.writeUInt32LE(content.length, 4);
  frame.write(content, 8);
  return frame;
};
/** A frame with one empty block, whose header specifies this content size (less than 256). */
const emptyFrameDeclaring = (bytes: number) => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, bytes, 1, 0, 0]);
const flipped = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at);
  return copy;
};

export type NamedFile = readonly [description: string, bytes: Buffer];

/** Compressed forms of the file, all intact. */
export const INTACT: readonly NamedFile[] = [
  ['gzip', gzipSync(file)],
  ['gzip with several members', Buffer.concat([gzipSync(head), gzipSync(middle), gzipSync(tail)])],
  ['gzip with an empty member', Buffer.concat([gzipSync(''), gzipSync(file), gzipSync('')])],
  ['gzip padded with zeros', Buffer.concat([gzipSync(file), Buffer.alloc(1024)])],
  ['zstd without a checksum', zstd(file)],
  ['zstd with a checksum', zstd(file, 1)],
  ['zstd with several frames', Buffer.concat([zstd(head), zstd(middle, 1), zstd(tail)])],
  ['zstd with an empty frame', Buffer.concat([zstd(Buffer.alloc(0)), zstd(file), zstd(Buffer.alloc(0), 1)])],
  [
    'zstd with skippable frames around and between its frames',
    Buffer.concat([
      skippable(0x184d2a50, 'before'),
      zstd(head),
      skippable(0x184d2a5f, ''),
      skippable(0x184d2a53, zstd(middle).toString('latin1')),
      zstd(Buffer.concat([middle, tail]), 1),
      skippable(0x184d2a50, 'x'.repeat(5000)),
    ]),
  ],
  ['no compression', file],
];

const gz = gzipSync(file);
const zst = zstd(file, 1);
/** Compressed data that is damaged, incomplete or followed by other data. */
export const DAMAGED: readonly NamedFile[] = [
  ['gzip with a wrong checksum', flipped(gz, gz.length - 6)],
  ['gzip with a wrong length', flipped(gz, gz.length - 2)],
  ['gzip with a flipped byte', flipped(gz, 100)],
  ['gzip truncated in its data', gz.subarray(0, 200)],
  ['gzip truncated in its checksum', gz.subarray(0, -2)],
  ['gzip truncated in its second member', Buffer.concat([gzipSync(head), gzipSync(tail).subarray(0, -30)])],
  ['gzip followed by garbage', Buffer.concat([gz, Buffer.from('garbage')])],
  ['gzip followed by 2 MB of garbage', Buffer.concat([gz, Buffer.alloc(2_000_000, 'x')])],
  ['gzip followed by zeros and another gzip', Buffer.concat([gz, Buffer.alloc(100), gz])],
  ['gzip with only its magic bytes', gz.subarray(0, 3)],
  ['zstd with a wrong checksum', flipped(zst, zst.length - 1)],
  ['zstd with a flipped byte', flipped(zst, 100)],
  ['zstd truncated in its data', zst.subarray(0, 200)],
  ['zstd truncated in its checksum', zst.subarray(0, -2)],
  ['zstd truncated before its checksum', zst.subarray(0, -4)],
  ['zstd truncated in its second frame', Buffer.concat([zstd(head), zstd(tail).subarray(0, -30)])],
  ['zstd truncated in a skippable frame', Buffer.concat([zst, skippable(0x184d2a50, 'abc').subarray(0, -1)])],
  ['zstd followed by garbage', Buffer.concat([zst, Buffer.from('garbage')])],
  ['zstd followed by gzip', Buffer.concat([zst, gz])],
  ['zstd with only its magic bytes', zst.subarray(0, 4)],
  ['zstd with only a skippable frame', skippable(0x184d2a50, 'nothing')],
  ['zstd with an empty frame that declares content', Buffer.concat([zst, emptyFrameDeclaring(5), zst])],
];

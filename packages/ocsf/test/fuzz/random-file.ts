import { corpusRecords } from './corpus.ts';
import { nestedText, type Style, space, valueText } from './json-text.ts';
import { type MutationName, mutate } from './mutations.ts';
import { below } from './random.ts';

/** A generated file, and the mutations applied to it. */
export interface RandomFile {
  readonly type: 'valid' | MutationName;
  readonly bytes: Buffer;
}

const RECORDS = corpusRecords();
/** The splitter's piece size. */
const PIECE_BYTES = 2 ** 19;

/** Generates a file from a seed: an array or lines of random values, damaged in two out of three cases. */
export function randomFile(random: () => number): RandomFile {
  const valid = random() < 0.3 ? validLines(random) : validFile(random);
  const file = random() < 0.3 ? ({ type: 'valid', bytes: valid } as const) : mutate(random, valid);
  return random() < 0.0005 ? { ...file, bytes: acrossPieces(random, file.bytes) } : file;
}

function validFile(random: () => number): Buffer {
  const style: Style = { compact: random() < 0.4, plainKeys: false };
  const elements = Array.from({ length: random() < 0.02 ? 40 : below(random, 5) }, () => {
    const choice = random();
    if (choice < 0.01) return nestedText(random, 1 + below(random, 60));
    if (choice < 0.015) return (RECORDS[below(random, RECORDS.length)] ?? Buffer.of()).toString();
    return valueText(random, 4, style);
  });
  const around = () => space(random, style);
  const mark = random() < 0.05 ? '\ufeff' : '';
  return Buffer.from(
    `${mark}${around()}[${elements.map((element) => `${around()}${element}${around()}`).join(',')}${around()}]${around()}`,
  );
}

/** The first line is an object. */
function validLines(random: () => number): Buffer {
  const style: Style = { compact: true, plainKeys: false };
  const blank = () => ['', ' ', '\t', '\r', '\n', ' \r\n '][below(random, 6)] ?? '';
  const lines = Array.from({ length: below(random, 6) }, () => {
    const text = random() < 0.01 ? nestedText(random, 1 + below(random, 60)) : valueText(random, 4, style);
    return `${blank()}${text.replaceAll(/[\r\n]/g, ' ')}${blank()}`;
  });
  const first = `{"first":${valueText(random, 2, style).replaceAll(/[\r\n]/g, ' ')}}`;
  const end = random() < 0.7 ? '\n' : '';
  return Buffer.from(`${random() < 0.05 ? '\ufeff' : ''}${blank()}${[first, '', ...lines].join('\n')}${end}`);
}

/** Prepends whitespace so that the splitter's first piece ends inside the file. */
function acrossPieces(random: () => number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(PIECE_BYTES - below(random, bytes.length + 1), ' '), bytes]);
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';
import { z } from 'zod';

export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Instruction {
  readonly keyword: string;
  /** Values of `--name=value` options. */
  readonly flags: Readonly<Record<string, string>>;
  /** Arguments, split at spaces or parsed from a JSON array. */
  readonly args: readonly string[];
  /** The unparsed arguments, with continuation lines joined. */
  readonly text: string;
}

export interface Stage {
  readonly image: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

export type DockerfileName = 'Dockerfile' | 'Dockerfile.scanner';

/** Reads the stages of a Dockerfile in the checkout. */
export async function readDockerfile(name: DockerfileName = 'Dockerfile'): Promise<Stage[]> {
  return parseDockerfile(await readFile(path.join(CHECKOUT, name), 'utf8'));
}

/** Parses a Dockerfile. In `FROM`, global build arguments are replaced by their defaults. */
export function parseDockerfile(content: string): Stage[] {
  const globals: Record<string, string> = {};
  const stages: { image: string; name: string | undefined; instructions: Instruction[] }[] = [];
  const lines = content.split('\n');
  for (const each of DockerfileParser.parse(content).getInstructions()) {
    const { start, end } = each.getRange();
    const whole = lines.slice(start.line, end.line + 1).join('\n');
    const instruction = parseInstruction(each.getKeyword(), whole.replace(/^\s*\w+/, ''));
    if (instruction.keyword === 'FROM') {
      const [text = '', , name] = instruction.args;
      const image = text.replace(/\$\{(\w+)\}/g, (whole, argument) => globals[argument] ?? whole);
      stages.push({ image, name, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (stage !== undefined) stage.instructions.push(instruction);
      else if (instruction.keyword === 'ARG') Object.assign(globals, argumentOf(instruction));
      else throw new Error(`${instruction.keyword} is not allowed before the first FROM`);
    }
  }
  return stages;
}

/**
 * Returns the default of `ARG NAME=DEFAULT` as an object with the name as its key, or an empty object if there is no
 * default.
 */
export function argumentOf({ text }: Instruction): Record<string, string> {
  const [, name, value] = /^(\w+)=(.*)$/.exec(text) ?? [];
  return name === undefined || value === undefined ? {} : { [name]: value.replace(/^"(.*)"$/, '$1') };
}

function parseInstruction(keyword: string, content: string): Instruction {
  let text = content.replace(/\\\n\s*/g, ' ').trim();
  const flags: Record<string, string> = {};
  for (;;) {
    const flag = /^--([a-z-]+)=(\S+)\s+/.exec(text);
    if (flag === null) break;
    flags[flag[1] ?? ''] = flag[2] ?? '';
    text = text.slice(flag[0].length);
  }
  return { keyword, flags, args: splitArguments(text), text };
}

function splitArguments(text: string): string[] {
  if (text.startsWith('[')) return z.array(z.string()).parse(JSON.parse(text));
  return text.split(/\s+/);
}

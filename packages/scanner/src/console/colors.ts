import type { Output } from './screen.ts';

/**
 * Whether a stream gets colors: where it is a terminal that has them; not with `--no-color`, nor where `NO_COLOR`
 * is set to anything (https://no-color.org).
 */
export function shouldUseColors(stream: Output, wanted: boolean, env: NodeJS.ProcessEnv): boolean {
  const refused = env.NO_COLOR !== undefined && env.NO_COLOR !== '';
  return wanted && !refused && stream.isTTY === true && stream.hasColors?.() === true;
}

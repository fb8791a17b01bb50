import type { Output } from './screen.ts';

/**
 * Whether to use colors: on a terminal that supports them, without `--no-color`, and with `NO_COLOR` unset or empty
 * (https://no-color.org).
 */
export function shouldUseColors(stream: Output, requested: boolean, env: NodeJS.ProcessEnv): boolean {
  const isDisabled = env.NO_COLOR !== undefined && env.NO_COLOR !== '';
  return requested && !isDisabled && stream.isTTY === true && stream.hasColors?.() === true;
}

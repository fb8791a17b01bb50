import { styleText } from 'node:util';

export type Color = 'red' | 'green' | 'yellow' | 'magenta' | 'bold';

/** Colours a text for a terminal. Whether there are colors is the caller's word, not that of this process's streams. */
export type Paint = (color: Color, text: string) => string;

export function painter(colors: boolean): Paint {
  return (color, text) => (colors ? styleText(color, text, { validateStream: false }) : text);
}

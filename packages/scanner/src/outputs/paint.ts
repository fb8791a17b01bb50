import { styleText } from 'node:util';

export type Color = 'red' | 'green' | 'yellow' | 'magenta' | 'bold';

/** Colors text for a terminal. */
export type Paint = (color: Color, text: string) => string;

export function painter(colors: boolean): Paint {
  return (color, text) => (colors ? styleText(color, text, { validateStream: false }) : text);
}

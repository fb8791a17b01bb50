import { styleText } from 'node:util';

export type Colour = 'red' | 'green' | 'yellow' | 'magenta' | 'bold';

/** Colours a text for a terminal. Whether there are colours is the caller's word, not that of this process's streams. */
export type Paint = (colour: Colour, text: string) => string;

export function painter(colours: boolean): Paint {
  return (colour, text) => (colours ? styleText(colour, text, { validateStream: false }) : text);
}

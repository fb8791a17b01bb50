/** Text of a server as a clause in a sentence of ours: one line, not too long, without a full stop of its own. */
export declare function oneLine(text: string): string;

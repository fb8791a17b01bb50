/** Something that whoever started the program can mend; the message is the one clear sentence they get. */
export class OperatorError extends Error {}

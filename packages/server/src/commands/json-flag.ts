/** What the flag of all commands but `serve` does. */
export const JSON_FLAG = 'print one JSON value';

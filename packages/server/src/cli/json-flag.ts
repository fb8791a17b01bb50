/** The help of `--json`, which all commands except `serve` accept. */
export const JSON_FLAG = 'print the result as one JSON value';

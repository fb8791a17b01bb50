/** The help of `--json`, which all commands except `serve` take. */
export const JSON_FLAG = 'print one JSON value';

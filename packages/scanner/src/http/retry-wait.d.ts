/**
 * How long to wait, in milliseconds, before a request is repeated whose answer says that it may succeed later: 429 or
 * one of the 5xx. `retry` counts from 0.
 */
export declare function waitAfterAnswer(status: number, headers: Headers, retry: number): number;
/** How long to wait after a network fault, in milliseconds. */
export declare function waitAfterFault(retry: number): number;

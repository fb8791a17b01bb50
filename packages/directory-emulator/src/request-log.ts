import type { IncomingHttpHeaders } from 'node:http';

/** The outcome of a request's DPoP proof. `none` means that the request had no proof. */
export type ProofOutcome = 'none' | 'fresh' | 'replayed' | 'rejected';

/** One request to the management API. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query as received. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly receivedAt: Date;
  /** HTTP status; 0 if a fault closed the connection. */
  readonly status: number;
  readonly proof: ProofOutcome;
}

/** One request to the token endpoint. */
export interface TokenRequest {
  readonly receivedAt: Date;
  /** HTTP status; 0 if a fault closed the connection. */
  readonly status: number;
  /** `error` in the response; `null` if a token was issued or a fault was injected. */
  readonly error: string | null;
  /** The reason for a rejection, with details that the client does not receive. */
  readonly detail: string | null;
  /** The `scope` parameter of the request. */
  readonly scope: string | null;
  /** Whether the request had a DPoP proof. */
  readonly proof: boolean;
}

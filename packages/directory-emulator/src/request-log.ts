import type { IncomingHttpHeaders } from 'node:http';

/** What became of the DPoP proof of a request. `none`: there was none. */
export type ProofOutcome = 'none' | 'fresh' | 'replayed' | 'refused';

/** One request to the management API. */
export interface ApiRequest {
  readonly method: string;
  /** Path with query, as it was sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly receivedAt: Date;
  /** HTTP status; 0 where a fault ended the connection. */
  readonly status: number;
  readonly proof: ProofOutcome;
}

/** One request to the token endpoint. */
export interface TokenRequest {
  readonly receivedAt: Date;
  /** HTTP status; 0 where a fault ended the connection. */
  readonly status: number;
  /** `error` of the response; `null` where a token was issued or a fault was injected. */
  readonly error: string | null;
  /** What the server knows about the refusal beyond what it tells the client. */
  readonly detail: string | null;
  /** The `scope` parameter. */
  readonly scope: string | null;
  /** The request carried a DPoP proof. */
  readonly proof: boolean;
}

/** Stable error codes, documented in `docs/pipelines.md`. */
export type PushErrorCode =
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'invalid_base_url'
  | 'invalid_proxy'
  | 'invalid_setting'
  | 'file_unreadable'
  | 'file_empty'
  | 'file_changed'
  | 'file_too_large'
  | 'unreachable'
  | 'untrusted_certificate'
  | 'connection_lost'
  | 'no_answer'
  | 'redirected'
  | 'not_understood'
  | 'unauthorized'
  | 'subscription_required'
  | 'permission_denied'
  | 'upload_too_large'
  | 'rate_limited'
  | 'refused'
  | 'service_failed'
  | 'wait_timeout';

export interface PushErrorOptions extends ErrorOptions {
  /** The HTTP status, if the service responded. */
  readonly status?: number | undefined;
}

/** An error of a client method. The message is one clause without a period. */
export class PushError extends Error {
  readonly code: PushErrorCode;
  readonly status: number | undefined;

  constructor(code: PushErrorCode, message: string, options: PushErrorOptions = {}) {
    super(message, options);
    this.name = 'PushError';
    this.code = code;
    this.status = options.status;
  }
}

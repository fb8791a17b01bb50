/** Why the embedded PostgreSQL cannot be used. Stable, so that callers can switch on it. */
export type EmbeddedPostgresErrorCode =
  | 'unsupported_platform'
  | 'binaries_unusable'
  | 'unusable_path'
  | 'unreachable_path'
  | 'no_server_user'
  | 'wrong_owner'
  | 'not_a_cluster'
  | 'version_mismatch'
  | 'init_failed'
  | 'password_unusable'
  | 'start_failed'
  | 'not_responding'
  | 'stop_failed';

/** The embedded PostgreSQL cannot be used. The first line of the message contains the reason and the remedy. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Why the embedded PostgreSQL could not be used; stable, for callers to switch on. */
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

/** The embedded PostgreSQL cannot be used; the first line of the message says why and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

// SQLSTATEs by name (PostgreSQL documentation, appendix A). `classifyDatabaseError` classifies the temporary ones.

export const READ_ONLY_SQL_TRANSACTION = '25006';
export const UNIQUE_VIOLATION = '23505';
export const INVALID_AUTHORIZATION_SPECIFICATION = '28000';
export const INSUFFICIENT_PRIVILEGE = '42501';
export const DUPLICATE_DATABASE = '42P04';
export const UNDEFINED_TABLE = '42P01';
export const QUERY_CANCELED = '57014';

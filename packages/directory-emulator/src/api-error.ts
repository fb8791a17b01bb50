import { randomBytes } from 'node:crypto';

/** An error response in the vendor's format. */
export class ApiError extends Error {
  readonly status: number;
  readonly errorCode: string;
  readonly causes: readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    errorCode: string,
    summary: string,
    options: {
      readonly causes?: readonly string[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(summary);
    this.status = status;
    this.errorCode = errorCode;
    this.causes = options.causes ?? [];
    this.headers = options.headers ?? {};
  }

  body(): object {
    return {
      errorCode: this.errorCode,
      errorSummary: this.message,
      errorLink: this.errorCode,
      errorId: `oae${randomBytes(12).toString('base64url')}`,
      errorCauses: this.causes.map((errorSummary) => ({ errorSummary })),
    };
  }
}

/** The error for an invalid query parameter. */
export function badRequest(field: string, cause: string): ApiError {
  return new ApiError(400, 'E0000001', `Api validation failed: ${field}`, { causes: [`${field}: ${cause}`] });
}

/** Okta's error for an invalid cursor, as recorded for `/api/v1/apps`. */
export function invalidCursor(): ApiError {
  return new ApiError(400, 'E0000029', 'Invalid paging request.', { causes: ['Invalid cursor.'] });
}

/** Okta's error for a feature that is not enabled. The token is valid, so requesting another token does not help. */
export function missingFeature(): ApiError {
  return new ApiError(401, 'E0000015', 'You do not have permission to access the feature you are requesting');
}

/** The error for a missing scope or role. */
export function forbidden(headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError(403, 'E0000006', 'You do not have permission to perform the requested action', {
    headers,
  });
}

/** The error for an unknown path or object. */
export function notFound(resource: string): ApiError {
  return new ApiError(404, 'E0000007', `Not found: Resource not found: ${resource}`);
}

/** The error for any method other than GET. */
export function methodNotAllowed(): ApiError {
  return new ApiError(405, 'E0000022', 'The endpoint does not support the provided HTTP method', {
    headers: { Allow: 'GET' },
  });
}

/** The error for an exceeded rate limit. */
export function tooManyRequests(): ApiError {
  return new ApiError(429, 'E0000047', 'API call exceeded rate limit due to too many requests.');
}

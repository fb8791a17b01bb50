/** The result of a read, so that checks cannot mistake a failed read for an empty response. */
export type Read<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'unread'; readonly problem: ReadProblem };

/** The reason for a failed read. */
export interface ReadProblem {
  /**
   * `scope`: the scope was not granted, so no request was sent. `role`: 403. `not_offered`: 404, or 401 `E0000015`,
   * because the organization does not have the feature. `failed`: any other response, or none.
   */
  readonly cause: 'scope' | 'role' | 'not_offered' | 'failed';
  /** The missing scope, if the cause is `scope`. */
  readonly scope: string | null;
  /** One clause that names the request and its response, such as `GET /api/v1/zones returned 403 (E0000006: ...)`. */
  readonly detail: string;
}

/** A successful read. */
export function read<Value>(value: Value): Read<Value> {
  return { kind: 'read', value };
}

/** A failed read. */
export function unread<Value>(problem: ReadProblem): Read<Value> {
  return { kind: 'unread', problem };
}

/** What came of reading one thing: a check never takes a read that failed for an empty response. */
export type Read<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'unread'; readonly problem: ReadProblem };

/** Why a thing could not be read. */
export interface ReadProblem {
  /**
   * `scope`: the scope was not granted, nothing was asked. `role`: refused with 403. `not_offered`: 404, or
   * 401 `E0000015`: the organization does not have it. `failed`: any other response, or none.
   */
  readonly cause: 'scope' | 'role' | 'not_offered' | 'failed';
  /** The scope that is missing, with cause `scope`. */
  readonly scope: string | null;
  /** One clause that names the request and its response: `GET /api/v1/zones returned 403 (E0000006: ...)`. */
  readonly detail: string;
}

export function read<Value>(value: Value): Read<Value> {
  return { kind: 'read', value };
}

export function unread<Value>(problem: ReadProblem): Read<Value> {
  return { kind: 'unread', problem };
}

import type { AdminRole, DialectName, ScopeResource } from '../options.ts';
import type { Organization } from '../organization/organization.ts';
import { getPage, repeatedCursor } from './paging.ts';

/** An authorized request to an endpoint. */
export interface EndpointRequest {
  readonly organization: Organization;
  readonly dialect: DialectName;
  /** Origin of the emulator. */
  readonly url: string;
  readonly role: Exclude<AdminRole, 'none'>;
  /** The value of `:id` in the path; empty if the route has no `:id`. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly pageSize: number;
  /** Injected fault: the link to the next page never changes. */
  readonly repeatCursor: boolean;
}

interface EndpointResponse {
  readonly body: unknown;
  /** Cursor of the next page; `null` on the last page; `undefined` if the response is not paginated. */
  readonly next?: string | null;
}

/** The differences of an endpoint in the Okta API. */
export interface OktaDifferences {
  /** The required scope. */
  readonly oktaScope?: ScopeResource;
  /** The endpoint exists only in the Okta API. */
  readonly onlyInOkta?: boolean;
  /** The list is not paginated: responses have no `Link` headers, and `limit` and `after` have no effect. */
  readonly unpagedInOkta?: boolean;
}

export interface Endpoint extends OktaDifferences {
  /** Route pattern, such as `/api/v1/policies/:id/rules`. */
  readonly path: string;
  readonly scope: ScopeResource;
  respond(request: EndpointRequest): EndpointResponse;
}

/** Creates an endpoint that returns one object. */
export function single(
  path: string,
  scope: ScopeResource,
  item: (request: EndpointRequest) => object | null,
): Endpoint {
  return { path, scope, respond: (request) => ({ body: item(request) }) };
}

/** Creates an endpoint that returns a paginated list. */
export function list<Item extends { readonly id: string }>(
  path: string,
  scope: ScopeResource,
  items: (request: EndpointRequest) => readonly Item[],
  serialize: (item: Item, request: EndpointRequest) => object = (item) => item,
  differences: OktaDifferences = {},
): Endpoint {
  return {
    path,
    scope,
    ...differences,
    respond: (request) => {
      if (request.dialect === 'okta' && differences.unpagedInOkta === true)
        return { body: items(request).map((item) => serialize(item, request)) };
      const page = getPage(items(request), request);
      return {
        body: page.items.map((item) => serialize(item, request)),
        next: request.repeatCursor ? repeatedCursor(page.items, request.query) : page.next,
      };
    },
  };
}

/** Finds the object that `:id` in the path identifies. */
export function findById<Item extends { readonly id: string }>(
  items: readonly Item[],
  request: EndpointRequest,
): Item | undefined {
  return items.find(({ id }) => id === request.id);
}

/**
 * The data of an organization. Most objects have the format of the management API. Additional fields contain data that
 * the API returns from other endpoints (rules, roles, links). Names have the prefix `directory`, not `okta`.
 */
export interface Organization {
  readonly name: string;
  readonly policies: Policy[];
  readonly brands: Brand[];
  readonly apps: App[];
  /** `null` for an organization on an older engine that does not have this endpoint. */
  adminConsoleSettings: object | null;
  readonly authenticators: Authenticator[];
  readonly zones: Named[];
  readonly apiTokens: Named[];
  /** Owners of API tokens. A token may refer to a deleted user. */
  readonly users: Member[];
  readonly groups: Group[];
  readonly logStreams: Named[];
  readonly identityProviders: Named[];
}

/** An object with arbitrary fields, which are returned unchanged. */
export interface Named {
  readonly id: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface Policy extends Named {
  /** The policy type, such as `DIRECTORY_SIGN_ON`, `PASSWORD`, `USER_LIFECYCLE` or `ACCESS_POLICY`. */
  readonly type: string;
  /** Returned by the `/rules` endpoint and not as part of the policy. */
  readonly rules: Named[];
}

export interface Brand extends Named {
  readonly pages: {
    /** HTML; `undefined` if the page was never customized, for which the API returns 404. */
    readonly customized?: string | null;
    readonly default: string | null;
  };
}

export interface App extends Named {
  readonly label: string;
  /** `null` if the app has no sign-on policy. */
  readonly accessPolicyId: string | null;
  /** Whether a read-only administrator can see the app. */
  readonly assignedToServiceApp?: boolean;
}

export interface Authenticator extends Named {
  /** The key of the authenticator, such as `directory_verify` or `smart_card_idp`. */
  readonly key: string;
}

export interface Role {
  readonly id: string;
  readonly label: string;
  /** Custom roles may have only a label. */
  readonly type?: string;
  readonly [field: string]: unknown;
}

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly roles: Role[];
}

export interface Member {
  readonly id: string;
  readonly roles: Role[];
  /** Group IDs. */
  readonly groups: string[];
}

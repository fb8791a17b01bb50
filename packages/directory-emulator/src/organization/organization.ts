/**
 * The parts of an organization. Policies, rules, zones and others are as the management API returns
 * them; only what the API tells in another place (rules, roles, links) has fields of its own. The vendor's names are
 * those of the `directory` dialect.
 */
export interface Organization {
  readonly name: string;
  readonly policies: Policy[];
  readonly brands: Brand[];
  readonly apps: App[];
  /** `null`: an older engine, which does not have the endpoint. */
  adminConsoleSettings: object | null;
  readonly authenticators: Authenticator[];
  readonly zones: Named[];
  readonly apiTokens: Named[];
  /** Owners of API tokens; a token may name one that is gone. */
  readonly users: Member[];
  readonly groups: Group[];
  readonly logStreams: Named[];
  readonly identityProviders: Named[];
}

/** Whatever else an object has goes out as it stands: an organization may lack fields or have odd ones. */
export interface Named {
  readonly id: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface Policy extends Named {
  /** `DIRECTORY_SIGN_ON`, `PASSWORD`, `USER_LIFECYCLE`, `ACCESS_POLICY`, ... */
  readonly type: string;
  /** Returned by `/rules`, not with the policy. */
  readonly rules: Named[];
}

export interface Brand extends Named {
  readonly pages: {
    /** HTML. `undefined`: the page was never customized, and the API returns 404. */
    readonly customized?: string | null;
    readonly default: string | null;
  };
}

export interface App extends Named {
  readonly label: string;
  /** `null`: no sign-on policy is bound to the app. */
  readonly accessPolicyId: string | null;
  /** A read-only administrator sees no other apps. */
  readonly assignedToServiceApp?: boolean;
}

export interface Authenticator extends Named {
  /** `directory_verify`, `smart_card_idp`, ... */
  readonly key: string;
}

export interface Role {
  readonly id: string;
  readonly label: string;
  /** A custom role may have only a label. */
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
  /** Ids of groups. */
  readonly groups: string[];
}

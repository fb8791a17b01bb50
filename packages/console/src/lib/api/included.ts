interface Resource {
  readonly type: string;
  readonly id: string;
}

/** The resources of a type that came along (JSON:API 1.1, "Compound Documents"), by their ids. */
export function includedOf<Kind extends Resource, Type extends Kind['type']>(
  included: readonly Kind[] | undefined,
  type: Type,
): ReadonlyMap<string, Extract<Kind, { readonly type: Type }>> {
  const isOfType = (resource: Kind): resource is Extract<Kind, { readonly type: Type }> =>
    resource.type === type;
  return new Map((included ?? []).filter(isOfType).map((resource) => [resource.id, resource]));
}

import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import type { Read } from '../read-result.ts';
import { id, mapRead, text } from './fields.ts';

/** A role with neither field is unknown and could be any role. */
const roleSchema = z
  .object({
    type: z.string().min(1).optional().catch(undefined),
    label: z.string().min(1).optional(),
    assignmentType: text,
  })
  .transform(({ type, label, assignmentType }) => ({ name: type ?? label, assignmentType }))
  .pipe(z.object({ name: z.string(), assignmentType: z.string().nullable() }));
type Role = z.output<typeof roleSchema>;
const groupSchema = z.object({ id });

/** Admin roles of API token owners, cached by user and group. */
export class OwnerRoles {
  readonly #api: ManagementApi;
  readonly #ofUser = new Map<string, Promise<Read<readonly Role[]>>>();
  readonly #inherited = new Map<string, Promise<readonly Read<readonly string[]>[]>>();
  readonly #ofGroup = new Map<string, Promise<Read<readonly string[]>>>();

  constructor(api: ManagementApi) {
    this.#api = api;
  }

  /** The roles in the user's role list. Some vendors include inherited roles. */
  async direct(userId: string): Promise<Read<readonly string[]>> {
    return mapRead(await this.#rolesOfUser(userId), namesOf);
  }

  /**
   * The roles of each group of the user, so that one failed read does not hide the roles of other groups. Empty if the
   * user's role list has an `assignmentType` (`USER` or `GROUP`) for each role, because that list then includes the
   * inherited roles.
   */
  inherited(userId: string): Promise<readonly Read<readonly string[]>[]> {
    return memoize(this.#inherited, userId, () => this.#readInherited(userId));
  }

  async #readInherited(userId: string): Promise<readonly Read<readonly string[]>[]> {
    const own = await this.#rolesOfUser(userId);
    const { listsInheritedRoles, groupsOfUserScope } = this.#api.dialect;
    if (own.kind === 'unread' && (own.problem.cause === 'scope' || listsInheritedRoles)) return [own];
    if (own.kind === 'read' && includesInherited(own.value, listsInheritedRoles)) return [];
    const groups = await this.#api.list({
      path: `/api/v1/users/${encodeURIComponent(userId)}/groups`,
      scope: groupsOfUserScope,
      isFeature: false,
      schema: groupSchema,
    });
    if (groups.kind === 'unread') return [groups];
    const ids = [...new Set(groups.value.map((group) => group.id))];
    return await Promise.all(ids.map((groupId) => this.#rolesOfGroup(groupId)));
  }

  #rolesOfUser(userId: string): Promise<Read<readonly Role[]>> {
    return memoize(this.#ofUser, userId, () =>
      this.#roles(`/api/v1/users/${encodeURIComponent(userId)}/roles`),
    );
  }

  #rolesOfGroup(groupId: string): Promise<Read<readonly string[]>> {
    return memoize(this.#ofGroup, groupId, async () =>
      mapRead(await this.#roles(`/api/v1/groups/${encodeURIComponent(groupId)}/roles`), namesOf),
    );
  }

  #roles(path: string): Promise<Read<readonly Role[]>> {
    return this.#api.list({ path, scope: 'roles', isFeature: false, schema: roleSchema });
  }
}

function namesOf(roles: readonly Role[]): readonly string[] {
  return [...new Set(roles.map(({ name }) => name))];
}

function includesInherited(roles: readonly Role[], listsInheritedRoles: boolean): boolean {
  return roles.length === 0
    ? listsInheritedRoles
    : roles.every(({ assignmentType }) => assignmentType !== null);
}

function memoize<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const value = make();
  known.set(key, value);
  return value;
}

import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Stores client assertions and DPoP proofs in memory, so that the authorization server can reject replays. */
export function memoryAdapter(): (model: string) => Adapter {
  const entries = new Map<string, AdapterPayload>();
  const nothing = async (): Promise<void> => {};
  return (model) => ({
    upsert: async (id, payload) => {
      entries.set(`${model} ${id}`, payload);
    },
    find: async (id) => entries.get(`${model} ${id}`),
    destroy: async (id) => {
      entries.delete(`${model} ${id}`);
    },
    // Required only for grants that involve a user. The emulator does not support these grants.
    findByUserCode: nothing,
    findByUid: nothing,
    consume: nothing,
    revokeByGrantId: nothing,
  });
}

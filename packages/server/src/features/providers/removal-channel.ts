/** PostgreSQL notifies on this channel when a provider was deleted, so that its rows can be removed. */
export const REMOVAL_CHANNEL = 'sluice_removals';

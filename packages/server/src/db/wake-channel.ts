/** PostgreSQL notifies on this channel when a frame can be claimed. */
export const WAKE_CHANNEL = 'sluice_frames';

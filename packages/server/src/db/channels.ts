// The PostgreSQL notification channels of Sluice.

/** Notified when a frame can be claimed. */
export const FRAMES_CHANNEL = 'sluice_frames';

/** Notified when rows of deleted providers have to be removed. */
export const REMOVALS_CHANNEL = 'sluice_removals';

/** The notification channel that signals deleted providers whose rows need to be removed. */
export const REMOVAL_CHANNEL = 'sluice_removals';

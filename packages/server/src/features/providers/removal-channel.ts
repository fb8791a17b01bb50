/** The PostgreSQL notification channel for deleted providers whose rows have to be removed. */
export const REMOVAL_CHANNEL = 'sluice_removals';

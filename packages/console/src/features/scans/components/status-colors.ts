/** The theme color of each status in charts. */
export const STATUS_COLORS = {
  FAIL: 'var(--danger)',
  MANUAL: 'var(--warning)',
  PASS: 'var(--good)',
} as const;

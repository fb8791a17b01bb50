/** The colour of each status in bars, out of the theme. */
export const STATUS_COLORS = {
  FAIL: 'var(--danger)',
  MANUAL: 'var(--warning)',
  PASS: 'var(--good)',
} as const;

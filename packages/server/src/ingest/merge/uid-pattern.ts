/** Takes the place of the check id in `resources.uid_pattern`. */
export const CHECK_ID_PLACEHOLDER = '\u0001';

/**
 * The uid of a finding with a placeholder for its check id; null if the check id does not occur. Scanners build their
 * uids from the check, the account and the resource, so the findings of a resource usually share a pattern.
 */
export function patternOf(uid: string, checkId: string): string | null {
  const at = uid.indexOf(checkId);
  if (at < 0 || uid.includes(CHECK_ID_PLACEHOLDER)) return null;
  // Joined: a concatenation would keep the uid in memory.
  return [uid.slice(0, at), uid.slice(at + checkId.length)].join(CHECK_ID_PLACEHOLDER);
}

/** Whether the pattern with this check id is the uid. */
export function hasPattern(uid: string, checkId: string, pattern: string | null): boolean {
  if (pattern === null || pattern.length - CHECK_ID_PLACEHOLDER.length + checkId.length !== uid.length)
    return false;
  const at = pattern.indexOf(CHECK_ID_PLACEHOLDER);
  return (
    uid.startsWith(checkId, at) &&
    uid.startsWith(pattern.slice(0, at)) &&
    uid.endsWith(pattern.slice(at + CHECK_ID_PLACEHOLDER.length))
  );
}

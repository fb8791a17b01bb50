const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a string is a UUID in the textual form of RFC 9562, section 4. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

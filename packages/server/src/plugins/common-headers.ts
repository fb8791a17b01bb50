/** Features of browsers that no page of ours uses (Permissions Policy). */
const NO_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** Pages have a policy of their own instead of this one (Content Security Policy Level 3). */
const SECURITY = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': NO_FEATURES,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** A year (RFC 6797); not `includeSubDomains`: what lies beside us is not ours. */
const TRANSPORT = { 'strict-transport-security': 'max-age=31536000' } as const;

/** The headers of every answer, by the id of its request. */
export type CommonHeaders = (requestId: string) => Readonly<Record<string, string>>;

/** That browsers must come by HTTPS is said only where the public address is such a one. */
export function createCommonHeaders(publicUrl: string | undefined): CommonHeaders {
  const isSecure = publicUrl?.startsWith('https:') === true;
  const always = { ...SECURITY, ...(isSecure && TRANSPORT), 'cache-control': 'no-store' };
  return (requestId) => ({ 'x-request-id': requestId, ...always });
}

/** Browser features that the service's pages do not use (Permissions Policy). */
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

/** The default Content Security Policy (Level 3). Pages override it. */
const SECURITY = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': NO_FEATURES,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** One year (RFC 6797). Does not include subdomains, because they may belong to other services. */
const TRANSPORT = { 'strict-transport-security': 'max-age=31536000' } as const;

/** Returns the common response headers for a request id. */
export type CommonHeaders = (requestId: string) => Readonly<Record<string, string>>;

/** Sends Strict-Transport-Security only if the public URL uses HTTPS. */
export function createCommonHeaders(publicUrl: string | undefined): CommonHeaders {
  const isSecure = publicUrl?.startsWith('https:') === true;
  const always = { ...SECURITY, ...(isSecure && TRANSPORT), 'cache-control': 'no-store' };
  return (requestId) => ({ 'x-request-id': requestId, ...always });
}

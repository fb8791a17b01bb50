// HEALTHCHECK of the image: 0 when the process says that it is ready, otherwise 1 and why. In Node, as the image has no
// curl. Every role answers at SLUICE_OPERATIONS_PORT; without it, those that serve the API answer at PORT.
const TIMEOUT_MS = 4000;

const { HOST = '127.0.0.1', PORT = '8080', SLUICE_OPERATIONS_PORT = '' } = process.env;
const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST);
const url = `http://${host}:${SLUICE_OPERATIONS_PORT || PORT}/health/ready`;

try {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
} catch (error) {
  console.error(`${url}: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}

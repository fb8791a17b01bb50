// HEALTHCHECK of the image: exits with 0 if the process is ready, or with 1 and the reason. Written for Node because the image
// does not contain curl. All roles listen on SLUICE_OPERATIONS_PORT; without it, API processes listen on PORT.
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

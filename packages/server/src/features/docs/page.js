// The reference: Swagger UI over the description that this service serves. Addresses are relative, so that the page also
// works behind a proxy that puts the service below a path.
const url = new URL('api/v1/openapi.json', document.baseURI);
const dark = matchMedia('(prefers-color-scheme: dark)');
const followSystem = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
followSystem();
dark.addEventListener('change', followSystem);

window.SwaggerUIBundle({
  url: url.href,
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  filter: true,
  // Not even a sign of validity is asked for elsewhere.
  validatorUrl: null,
  // A request of "Try it out" goes to where the page came from, by whatever name that is: its policy allows no other.
  requestInterceptor: (request) => {
    const asked = new URL(request.url, url);
    const at = asked.pathname.indexOf('/api/v1/');
    if (at >= 0) request.url = new URL(`.${asked.pathname.slice(at)}${asked.search}`, document.baseURI).href;
    return request;
  },
});

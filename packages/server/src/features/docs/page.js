// Renders the API reference with Swagger UI from the OpenAPI description of this service. URLs are relative, so that
// the page also works behind a proxy that adds a path prefix.
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
  // Do not load the validator badge from an external service.
  validatorUrl: null,
  // Send "Try it out" requests to the page's origin, because the content security policy allows no other.
  requestInterceptor: (request) => {
    const original = new URL(request.url, url);
    const at = original.pathname.indexOf('/api/v1/');
    if (at >= 0)
      request.url = new URL(`.${original.pathname.slice(at)}${original.search}`, document.baseURI).href;
    return request;
  },
});

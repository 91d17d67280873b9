// The service worker: it serves the site without a network. The build writes it to offline.js, after a line with version and
// files.
/** @typedef {Event & { readonly request: Request, respondWith(answer: Promise<Response>): void, waitUntil(work: Promise<unknown>): void }} Asked */
/**
 * @typedef {object} Site
 * @property {{ readonly version: string, readonly files: readonly string[], readonly first: readonly string[] }} build by path below the scope, '' for the page; `first` are cached at once, the others when they are first used
 * @property {{ readonly scope: string, readonly waiting: ServiceWorker | null, unregister(): Promise<boolean> }} registration
 * @property {{ claim(): Promise<void>, matchAll(options: object): Promise<readonly unknown[]> }} clients
 * @property {() => Promise<void>} skipWaiting
 */
const site = /** @type {Site} */ (/** @type {unknown} */ (globalThis));
const { scope } = site.registration;
const { version, first } = site.build;
const files = new Set(site.build.files);
// Other builds of the origin have other scopes.
const ours = `sparsescope ${scope} `;
const current = ours + version;

/** Deletes the caches of other builds of this site. @param {string} keptName */
const forget = async (keptName) => {
  for (const name of await caches.keys()) if (name.startsWith(ours) && name !== keptName) await caches.delete(name);
};
/** The cached file, or the file from the network, which is then cached. @param {string} name @param {Request} request */
const answer = async (name, request) => {
  const cache = await caches.open(current);
  const cached = await cache.match(scope + name);
  if (cached) return cached;
  // The browser may still have the file of another build.
  const response = await fetch(request, { cache: 'no-cache' });
  if (response.status === 200) void cache.put(scope + name, response.clone());
  return response;
};
/** The page. A waiting update takes over only if no page of the site is open. @param {Request} request */
const visit = async (request) => {
  const { waiting } = site.registration;
  // A reloaded page may still be among the clients, and nothing distinguishes it from another page.
  const clients = await site.clients.matchAll({ includeUncontrolled: true });
  if (!waiting || clients.length > 0) return answer('', request);
  waiting.postMessage('take over');
  return new Response('', { headers: { Refresh: '0' } });
};
/** Unregisters this worker once the site has been removed from its host. */
const endIfGone = async () => {
  const response = await fetch(location.href, { cache: 'no-store' }).catch(() => null);
  if (response?.status !== 404) return;
  files.clear();
  await Promise.all([forget(''), site.registration.unregister()]);
};
/** @param {string} type @param {(event: Asked) => void} run */
const on = (type, run) => addEventListener(type, (event) => run(/** @type {Asked} */ (event)));
on('install', (event) => {
  const fresh = first.map((name) => new Request(scope + name, { cache: 'no-cache' }));
  event.waitUntil(caches.open(current).then((cache) => cache.addAll(fresh)));
});
on('activate', (event) => event.waitUntil(Promise.all([forget(current), site.clients.claim()])));
on('message', () => void site.skipWaiting());
on('fetch', (event) => {
  const { url, method, mode, headers } = event.request;
  const [path] = url.split(/[?#]/);
  const name = path.startsWith(scope) ? path.slice(scope.length).replace(/^index\.html$/, '') : null;
  // Requests for other files, and for a part of a file, pass through and are never stored.
  if (name === null || method !== 'GET' || headers.has('range') || !files.has(name)) return;
  event.respondWith(mode === 'navigate' && name === '' ? visit(event.request) : answer(name, event.request));
  if (mode === 'navigate') event.waitUntil(endIfGone());
});

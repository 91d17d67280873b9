// The service worker: the page works without a network, and updates at a visit.

import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, RUNS_ALL, scheduled, test } from './fixtures.ts';
import { serveStatic } from './static-server.ts';

const DIST = resolve(import.meta.dirname, '../dist');

test.use({ serviceWorkers: 'allow', bringsFaults: true });

// No loading ahead while the page is idle: these tests check what the service worker caches without it.
test.beforeEach(({ context }) =>
  context.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  }),
);

/** The path of a small file of a model, which is cached when it is first used; empty if no lab has models. */
const modelFiles = (): readonly string[] =>
  existsSync(resolve(DIST, 'models'))
    ? readdirSync(resolve(DIST, 'models'), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('config.json'))
        .map((path) => `models/${path.replaceAll('\\', '/')}`)
        .slice(0, 1)
    : [];

const title = (page: Page) => page.getByRole('region', { name: 'At first sight' }).getByRole('heading');

/** Opens the site, and waits until its service worker controls the page. */
async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(title(page)).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

/** Returns the cached files, as paths below the site. */
const cachedFiles = (page: Page, url: string): Promise<readonly string[]> =>
  page.evaluate(async (from) => {
    const openCaches = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(openCaches.map((cache) => cache.keys()));
    return requests.flat().map(({ url: full }) => full.replace(from, ''));
  }, url);

test('pages that were opened once work without a network, and only files of the site are cached', async ({
  context,
}) => {
  const server = await serveStatic(DIST, '/some/path/');
  const other = await serveStatic(DIST, '/');
  const models = modelFiles();
  try {
    const page = await context.newPage();
    await visit(page, server.url);
    await page.evaluate(
      async ([elsewhere, ...ownPaths]) => {
        for (const path of ownPaths) await fetch(path);
        await fetch(elsewhere, { mode: 'no-cors' });
      },
      [`${other.url}favicon.svg`, ...models, 'private.npy'],
    );
    await expect.poll(() => cachedFiles(page, server.url)).toEqual(expect.arrayContaining([...models]));
    const cached = await cachedFiles(page, server.url);
    expect(cached).toContain('');
    // Files of models, data files and other origins: not a part of the page.
    const isLoadedOnUse = (path: string): boolean => /^models\/|\.npy$|^https?:/.test(path);
    expect(cached.filter(isLoadedOnUse)).toEqual(models);
    await page.close();
    await server.close();
    const offlinePage = await context.newPage();
    await offlinePage.goto(server.url);
    await expect(title(offlinePage)).toContainText('MACKO leaves them out');
    await offlinePage.goto(`${server.url}#2/learn/small-gaps`);
    await expect(offlinePage.getByRole('heading', { name: 'Small skips' })).toBeVisible();
    await offlinePage.goto(`${server.url}#2/watch?src=example:arrow&a=csr`);
    // Only with all tests: a reload has the same faults as opening the page without a network.
    if (RUNS_ALL) await offlinePage.reload();
    await expect(offlinePage.getByRole('region', { name: 'Stage', exact: true })).toHaveAttribute('aria-busy', 'false');
  } finally {
    await Promise.all([server.close(), other.close()]);
  }
});

test(
  'an update is installed at a visit while no page is open, and a site without a worker removes the cache',
  scheduled(
    'six page loads with a service worker',
    'scripts/offline/plugin.test.ts, and the first test of e2e/offline.spec.ts',
  ),
  async ({ context }) => {
    const [html, worker] = await Promise.all(
      ['index.html', 'offline.js'].map((name) => readFile(resolve(DIST, name), 'utf8')),
    );
    const replacedFiles: Record<string, string | null> = {};
    const server = await serveStatic(DIST, '/', replacedFiles);
    const hasUpdate = (page: Page) => page.evaluate(() => document.querySelector('meta[name="build"]') !== null);
    const isUpdateWaiting = (page: Page) =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting != null);
    try {
      const page = await context.newPage();
      await visit(page, server.url);
      replacedFiles['index.html'] = html.replace('<head>', '<head><meta name="build" content="next" />');
      replacedFiles['offline.js'] = worker.replace(/"version":"\w+"/, '"version":"next"');
      const second = await context.newPage();
      await second.goto(server.url);
      await second.evaluate(async () => void (await navigator.serviceWorker.getRegistration())?.update());
      await expect.poll(() => isUpdateWaiting(second)).toBe(true);
      await page.reload();
      await expect(title(page)).toBeVisible();
      expect(await hasUpdate(page)).toBe(false);
      await second.close();
      // Opening another page while one is open does not install the update either.
      const third = await context.newPage();
      await third.goto(server.url);
      await expect(title(third)).toBeVisible();
      expect(await hasUpdate(third)).toBe(false);
      await third.close();
      await page.close();
      const next = await context.newPage();
      // The browser may count a closed page for a moment longer.
      await expect(async () => {
        await next.goto('about:blank');
        await next.goto(server.url);
        await expect.poll(() => hasUpdate(next).catch(() => false), { timeout: 5000 }).toBe(true);
      }).toPass();
      await expect(title(next)).toBeVisible();
      replacedFiles['offline.js'] = null;
      await next.reload();
      await expect(title(next)).toBeVisible();
      await expect
        .poll(() =>
          next.evaluate(async () => [
            (await navigator.serviceWorker.getRegistrations()).length,
            (await caches.keys()).length,
          ]),
        )
        .toEqual([0, 0]);
    } finally {
      await server.close();
    }
  },
);

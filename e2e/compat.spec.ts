// Tests that the page opens what version 0.2.0 wrote: the browser's storage, addresses and embedded pages. test/compat tests the
// readers.

import type { Page } from '@playwright/test';
import { storedInBrowser, written } from '../test/compat/written.ts';
import { expect, test } from './fixtures.ts';
import { serveStatic } from './static-server.ts';
import { expectChoices } from './stored-choices.ts';

// Faults are expected, since a test answers requests to the host of a link itself.
test.use({ bringsFaults: true });

/** Fills the browser's storage as version 0.2.0 left it, before the current page runs. */
async function storeAsWritten(page: Page): Promise<void> {
  // This document has the origin of the page, but no scripts that would use the storage.
  await page.goto('./licences.txt');
  await page.evaluate(async (stored) => {
    /** Replaces objects that stand for typed arrays, infinite numbers and files, which JSON cannot represent. */
    const revive = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(revive);
      if (typeof value !== 'object' || value === null) return value;
      const special = value as { $typed?: string; values?: number[]; $number?: string; $file?: Record<string, string> };
      if (special.$typed !== undefined) return Uint8Array.from(special.values ?? []);
      if (special.$number !== undefined) return Number(special.$number);
      if (special.$file) return new File([special.$file.text], special.$file.name, { type: special.$file.type });
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revive(member)]));
    };
    for (const { name, version, stores } of stored.databases) {
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.open(name, version);
        request.addEventListener('upgradeneeded', () => {
          for (const store of Object.keys(stores)) request.result.createObjectStore(store);
        });
        request.addEventListener('error', () => reject(new Error(`${name}: ${request.error?.message}`)));
        request.addEventListener('success', () => {
          const { result: database } = request;
          const names = Object.keys(stores);
          const transaction = database.transaction(names, 'readwrite');
          for (const store of names) {
            for (const [key, value] of stores[store]) transaction.objectStore(store).put(revive(value), key);
          }
          transaction.addEventListener('complete', () => {
            database.close();
            resolve();
          });
        });
      });
    }
    for (const [key, text] of Object.entries(stored.localStorage)) localStorage.setItem(key, text);
    for (const [key, text] of Object.entries(stored.sessionStorage)) sessionStorage.setItem(key, text);
  }, storedInBrowser());
}

test('results, settings, progress and files that version 0.2.0 stored are opened', async ({ app, page }) => {
  await storeAsWritten(page);
  // A new tab has no session storage, and opens the last address, a state of Measure.
  await page.evaluate(() => sessionStorage.removeItem('sparsescope.here'));
  await page.goto('./');
  await expect.poll(() => new URL(page.url()).hash).toBe(storedInBrowser().localStorage['sparsescope.last']);
  // Four runs had ended; the fifth was interrupted when the page was closed.
  await expect(page.getByRole('region', { name: 'Kept results' })).toContainText('This browser keeps 5 results');
  await expect(app.runs).toHaveCount(5);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('alert').filter({ hasText: 'could not be read' })).toHaveCount(0);
  // In the run of all formats, one format did not support the matrix.
  await app.runs.filter({ hasText: '40 × 56' }).first().click();
  await expect(app.kernels.getByRole('table').first()).toBeVisible();

  await app.go('#2/learn');
  await expect(page.getByText(/1 of \d+ questions answered/).first()).toBeVisible();

  // The open details sections of Watch, and the file of this tab, are stored.
  await page.goto('about:blank');
  await page.goto('./#2/watch?src=file:small.mtx&a=csr&b=none');
  await app.expectMatrix(/non-zeros\s*3/);
  for (const name of ['bytes by purpose', 'tables'] as const) await expect(app.details(name)).toBeVisible();

  // The user had agreed to this host, so no question appears.
  await page.route(/far\.example/, (route) =>
    route.fulfill({
      body: '%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1.5\n3 2 2\n',
      headers: { 'Access-Control-Allow-Origin': '*' },
    }),
  );
  await app.go('#2/watch?src=remote:https://far.example/w.mtx&a=csr&b=none');
  await app.expectMatrix(/non-zeros\s*2/);
});

test('Compare, Measure and Watch read their choices from addresses of version 0.2.0', async ({ page }) => {
  await expectChoices(page, ['compare', 'measure', 'watch']);
});

test('an embedded page answers as version 0.2.0 did', async ({ page, baseURL }) => {
  const { link, talks } = written('embed.json') as {
    readonly link: string;
    readonly talks: readonly { readonly says: object | null; readonly answers: readonly Record<string, unknown>[] }[];
  };
  const files: Record<string, string> = {};
  const server = await serveStatic(import.meta.dirname, '/', files);
  files['plain.html'] = `<!doctype html><title>Course</title>
    <iframe src="${baseURL}${link}&origin=${new URL(server.url).origin}" width="960" height="600"></iframe>
    <script>
      window.received = [];
      addEventListener('message', ({ data }) => window.received.push(data));
      window.say = (message) => document.querySelector('iframe').contentWindow.postMessage(message, '*');
    </script>`;
  /** Returns the comparable part of a message: the texts of its sentences may change, so only their names are compared. */
  const comparable = ({ words, message, chapters, ...rest }: Record<string, unknown>): unknown => ({
    ...rest,
    names: Object.keys({ words, message, chapters }).filter(
      (name) => ({ words, message, chapters })[name as 'words'] !== undefined,
    ),
    chapters: (chapters as readonly object[] | undefined)?.map((chapter) => Object.keys(chapter)),
  });
  try {
    await page.goto(`${server.url}plain.html`);
    for (const { says, answers } of talks) {
      // After 'play' only the first answer is compared: how far the player gets depends on time.
      const expectedAnswer = says !== null && 'type' in says && says.type === 'play' ? answers[0] : answers.at(-1);
      if (says !== null) await page.evaluate((m) => (Reflect.get(window, 'say') as (message: object) => void)(m), says);
      if (says !== null && 'type' in says && says.type === 'pause') continue;
      await expect
        .poll(async () => {
          const received = await page.evaluate(() => Reflect.get(window, 'received') as Record<string, unknown>[]);
          return received.map((answer) => JSON.stringify(comparable(answer)));
        })
        .toContain(JSON.stringify(comparable(expectedAnswer ?? {})));
    }
  } finally {
    await server.close();
  }
});

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, scheduled, test } from './fixtures.ts';

type Entries = readonly (readonly [key: string, value: unknown])[];

interface Stored {
  readonly localStorage: Readonly<Record<string, string>>;
  readonly sessionStorage: Readonly<Record<string, string>>;
  /** entries by database and store */
  readonly indexedDB: Readonly<Record<string, Readonly<Record<string, Entries>>>>;
}

const STORED = JSON.parse(
  readFileSync(new URL('stored-by-afe55b0e.json', import.meta.url), 'utf8'),
) as unknown as Stored;

/** Puts everything into this browser before the page has started. */
async function seed(page: Page): Promise<void> {
  await page.goto('./favicon.svg');
  await page.evaluate(async (stored) => {
    for (const [key, text] of Object.entries(stored.localStorage)) localStorage.setItem(key, text);
    for (const [key, text] of Object.entries(stored.sessionStorage)) sessionStorage.setItem(key, text);
    for (const [name, stores] of Object.entries(stored.indexedDB)) {
      await new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name, 1);
        opening.addEventListener('error', () => reject(new Error(name)));
        opening.addEventListener('upgradeneeded', () => {
          for (const store of Object.keys(stores)) opening.result.createObjectStore(store);
        });
        opening.addEventListener('success', () => {
          const database = opening.result;
          const writing = database.transaction(Object.keys(stores), 'readwrite');
          for (const [store, entries] of Object.entries(stores)) {
            for (const [key, value] of entries) writing.objectStore(store).put(value, key);
          }
          writing.addEventListener('complete', () => {
            database.close();
            resolve();
          });
        });
      });
    }
  }, STORED);
}

/** The entries of a store as they are now. */
async function entriesOf(page: Page, database: string, store: string): Promise<Entries> {
  return page.evaluate(
    async ([name, of]) =>
      new Promise<Entries>((resolve) => {
        const opening = indexedDB.open(name);
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction(of).objectStore(of);
          const [keys, values] = [reading.getAllKeys(), reading.getAll()];
          reading.transaction.addEventListener('complete', () => {
            opening.result.close();
            resolve(keys.result.map((key, i) => [key as string, values.result[i] as unknown] as const));
          });
        });
      }),
    [database, store],
  );
}

test.beforeEach(async ({ page }) => seed(page));

test('runs that an older build kept are there, and so is the one that it was cut short in', async ({ app, page }) => {
  const { runs } = STORED.indexedDB.sparsescope;
  await app.openBenchmark();
  await expect(page.getByRole('alert').filter({ hasText: 'The page was left' })).toContainText(
    'what it had measured is kept',
  );
  await expect(page.getByRole('region', { name: 'Kept results' })).toContainText(/^This browser keeps 3 results/);
  const table = app.kernels.getByRole('table').first();
  const shown = page.getByRole('combobox', { name: 'run', exact: true });
  await expect(shown.getByRole('option')).toHaveCount(3);
  for (const [i, format] of ['MACKO', 'CSR'].entries()) {
    await shown.selectOption({ index: 2 - i });
    await expect(table).toContainText(format);
  }
  await expect.poll(() => entriesOf(page, 'sparsescope', 'runs')).toHaveLength(3);
  expect(await entriesOf(page, 'sparsescope', 'runs')).toEqual(expect.arrayContaining([...runs]));
});

test(
  'drafts that an older build kept open with their versions, and are written as they were',
  scheduled('runs a draft on a software GPU', 'src/places/code/draft-book/book.test.ts and file.test.ts'),
  async ({ page }) => {
    await page.goto('./#2/code?src=generated:uniform&shape=96x64&density=0.3&seed=1&a=csr');
    const yours = page.getByRole('region', { name: 'Yours' });
    await expect(yours.getByRole('listitem')).toHaveCount(2);
    await expect(yours.getByText(/cannot be read/)).toHaveCount(0);
    await yours.getByRole('button', { name: /^spmv_scalar/ }).click();
    await expect(page.getByRole('textbox', { name: /^csr\/spmv_scalar\.wgsl/ })).toContainText('// mine // csr');
    await expect(page.getByRole('textbox', { name: 'WORKGROUP_SIZE, yours' })).toHaveValue('128');
    await expect(page.getByRole('heading', { name: /^Draft 1 is right on \d+ matrices/ })).toBeVisible();
    await expect(page).toHaveURL(/#2\/code\/csr\/spmv_scalar\?.*draft=/);
    await expect
      .poll(() => entriesOf(page, 'sparsescope-drafts', 'drafts'))
      .toEqual(STORED.indexedDB['sparsescope-drafts'].drafts);
  },
);

test(
  'progress in lessons and exercises that an older build kept is there',
  scheduled('two page loads', 'src/lessons/progress.test.ts and src/lessons/exercises/exercise-progress.test.ts'),
  async ({ page }) => {
    await page.goto('./#2/learn');
    await expect(page.getByText(/^1 of \d+ questions answered$/)).toHaveCount(2);
    await expect(page.getByRole('button', { name: /^Continue: / })).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('sparsescope.lessons'))).toBe(
      STORED.localStorage['sparsescope.lessons'],
    );
    await page.goto('about:blank');
    await page.goto('./#2/code?src=generated:uniform&shape=96x64&density=0.3&seed=1&a=csr');
    await expect(page.getByText('4 exercises, 1 done')).toBeVisible();
  },
);

test(
  'colours and hosts that an older build kept are there',
  scheduled('one more page load', 'src/state/preferences.test.ts and e2e/link-consent.spec.ts'),
  async ({ app, page }) => {
    await app.open();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    const chooser = await app.openChooser();
    await chooser.getByRole('button', { name: 'Hugging Face…' }).click();
    await page.getByText('hosts that links may open').click();
    await expect(page.getByRole('button', { name: 'Forget https://far.example' })).toBeVisible();
  },
);

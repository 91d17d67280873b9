import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { objections } from './objections.ts';

/** 96 × 128 at density 0.3: formats for activations and N:M refuse it. */
const SOURCE = 'src=generated:uniform&shape=96x128&density=0.3&seed=1';

async function openQuestion(page: Page, more = ''): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`./#1/explore/matrix?${SOURCE}${more}`);
  await expect(page.locator('.answer-sentence')).toContainText('of dense');
}

/** Titles of the formats in the order of the table. */
async function order(page: Page): Promise<readonly string[]> {
  return page.locator('.compare tbody .compare-open').allInnerTexts();
}

test('the reasons are in view at 1280 px', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('./#1/explore/matrix');
  const table = page.getByRole('region', { name: 'Formats on this matrix' });
  await expect(table.getByRole('columnheader', { name: 'why' })).toBeVisible();
  const overflow = await table.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test('every format is compared on the matrix, refused ones last, and sorted by the clicked column', async ({
  page,
}) => {
  await openQuestion(page);
  await expect(page.locator('.answer-sentence')).toHaveText(
    /^bitmask holds this 96 × 128 matrix in [\d\s]+B, [\d.]+\s%\sof dense; .* needs .* more.* cannot hold it as it is\.$/,
  );
  await expect(page.locator('.compare tbody tr')).toHaveCount(10);
  const bytes = await page.locator('.compare tbody tr[data-state="held"] .compare-bytes').allInnerTexts();
  const numbers = bytes.map((text) => Number(text.replace(/\D/g, '')));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  const states = await page
    .locator('.compare tbody tr')
    .evaluateAll((rows) => rows.map((r) => r.getAttribute('data-state')));
  expect(states.lastIndexOf('held')).toBeLessThan(states.indexOf('refused'));
  for (const row of await page.locator('.compare tbody tr[data-state="held"]').all()) {
    await expect(row.locator('.compare-why')).toContainText(/\w+.*\./);
  }

  await page.getByRole('columnheader', { name: 'format' }).getByRole('button').click();
  await expect(page).toHaveURL(/x\.sort=format/);
  const held = (await order(page)).slice(0, numbers.length);
  expect(held).toEqual(held.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())));
});

test('other parameters, a pruning and the stage are one click away', async ({ page }) => {
  await openQuestion(page);
  const csr = page.locator('.compare tbody tr', { hasText: 'CSR' }).filter({ hasText: 'index bits 16' });
  await csr.getByRole('button', { name: 'index bits 16' }).click();
  await expect(page).toHaveURL(/csr\.indexBits=16|indexBits=16/);
  await page.getByRole('button', { name: '8 bit', exact: true }).click();
  await expect(page).toHaveURL(/deltaBits=8/);

  await page.getByRole('button', { name: 'Prune to 6:8' }).click();
  const slides = page.locator('.compare tbody tr', { hasText: 'SlideSparse' });
  await expect(slides).toHaveAttribute('data-state', 'held');
  await slides.getByRole('button', { name: 'SlideSparse: watch' }).click();
  await expect(page).toHaveURL(/#2\/watch\?.*[?&]a=slidesparse/);
});

test('the best parameters are found by encoding, and named', async ({ page }) => {
  await openQuestion(page);
  await page.getByRole('button', { name: 'Best parameters' }).click();
  await expect(page.locator('.compare tbody tr', { hasText: 'dense' }).first()).toContainText(
    'no other parameters are smaller',
  );
  await expect(page.locator('.compare tbody tr', { hasText: 'EC-CSR' })).toContainText(
    /the smallest of \d+ encodings: .*lanes 2/,
    {
      timeout: 60_000,
    },
  );
});

test('a run verifies and times the formats of the table', async ({ page }) => {
  test.setTimeout(180_000);
  await openQuestion(page);
  await page.getByRole('button', { name: 'Measure CSR' }).click();
  await expect(page.locator('.compare tbody tr', { hasText: /^\s*CSR/ }).locator('.compare-right')).toBeVisible({
    timeout: 150_000,
  });
});

test('axe finds nothing, on a wide page and at 390 px, dark as well', async ({ page }) => {
  await openQuestion(page);
  await expect(page.getByRole('img', { name: /^Of .* gaps/ })).toBeVisible();
  expect(await objections(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.locator('.compare-list > li')).toHaveCount(10);
  expect(await objections(page)).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

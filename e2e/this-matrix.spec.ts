// Tests of Compare's table of formats on the open matrix: ranking, sorting, choosing A and B, suggested parameters, timing and export.

import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect, scheduled, SparseScope, test } from './fixtures.ts';
import { setColorScheme, axeViolations, axeViolationsInThemes } from './axe-violations.ts';

/** 96 × 128 at density 0.3: formats for activations and N:M reject it. */
const SOURCE = 'src=generated:uniform&shape=96x128&density=0.3&seed=1&a=macko&b=csr';

/** Opens Compare on the matrix; `moreAddress` continues the address. */
async function openCompare(page: Page, moreAddress = ''): Promise<void> {
  await new SparseScope(page).go(`#2/compare?${SOURCE}${moreAddress}`);
  await expect(answer(page)).toContainText('MACKO stores this matrix in');
}

const answer = (page: Page): Locator => page.getByRole('main').getByRole('heading', { level: 2 }).first();
const table = (page: Page): Locator => page.getByRole('table', { name: 'All formats on this matrix' });
const row = (page: Page, name: string | RegExp): Locator =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });
const nameButton = (page: Page, name: string): Locator => row(page, name).getByRole('button', { name, exact: true });

/** Names of the rows whose format supports the matrix, in the order of the table. */
async function supportedRows(page: Page): Promise<readonly string[]> {
  return table(page).locator('tr[data-state="known"] th').allInnerTexts();
}

/** Waits until the sizes of all nine formats that support the matrix are known; the order changes until then. */
async function waitForSizes(page: Page): Promise<void> {
  await expect(table(page).locator('tr[data-state="known"]')).toHaveCount(9);
}

test('Compare ranks and sorts the formats, clicks and keys put rows in A or B, and a click opens suggested parameters or matrices', async ({
  page,
}) => {
  await test.step('the formats are ranked, the headline names what is smaller, and every heading sorts', async () => {
    await openCompare(page);
    await expect(answer(page)).toHaveText(
      /^MACKO stores this matrix in [\d\s]+ bytes, CSR in [\d\s]+, but dense in 4 bits, unpruned, takes [\d\s]+\.$/,
    );
    await expect(page.getByRole('main')).toContainText('In 16 bits, smallest: bitmask');
    // Formats that reject the matrix have a reason; value types of 8 and 4 bits appear once requested.
    await waitForSizes(page);
    await expect(table(page).locator('tr[data-state="refused"]')).toHaveText([/TwELL.*\d/, /SlideSparse.*\d/]);
    await page.getByRole('checkbox', { name: '8 and 4 bits' }).check();
    await expect(page).toHaveURL(/x\.few=yes/);
    await expect(table(page).locator('tr[data-state="known"]')).toHaveCount(12);
    const bytes = await table(page).locator('tr[data-state="known"] td[data-col="bytes"]').allInnerTexts();
    const numbers = bytes.map((text) => Number(text.replace(/\D/g, '')));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers.length).toBe(12);
    // A text below the table explains the size in the row under the pointer.
    await nameButton(page, 'MACKO f16, 4-bit').hover();
    await expect(page.getByText(/^MACKO f16, 4-bit: 4 bits .*\./)).toBeVisible();
    await nameButton(page, 'CSR f16, 16-bit').hover();
    await expect(page.getByText(/^CSR f16, 16-bit: A column number .*\./)).toBeVisible();

    for (const [heading, key] of [
      ['Sort by format', 'format'],
      ['Sort by share of dense f16', 'share'],
    ] as const) {
      await page.getByRole('button', { name: heading }).click();
      await expect(page).toHaveURL(new RegExp(`x\\.sort=${key}`));
      await expect(table(page).locator('th[aria-sort="ascending"]')).toHaveCount(1);
    }
    await page.getByRole('button', { name: 'Sort by format' }).click();
    await expect(page).toHaveURL(/x\.sort=format/);
    await expect(table(page).locator('th[data-col="format"][aria-sort="ascending"]')).toHaveCount(1);
    const titles = (await supportedRows(page)).map((text) => text.toLowerCase());
    expect(titles).toEqual(titles.toSorted((a, b) => a.localeCompare(b)));
    await page.getByRole('button', { name: 'Sort by format' }).click();
    await expect(table(page).locator('th[aria-sort="descending"]')).toHaveCount(1);
  });
  await test.step('a click puts a row in A, with Shift in B, and removes no row; a double click opens it in Watch', async () => {
    await openCompare(page, '&x.few=yes');
    await expect(table(page).locator('tr[data-state="known"]')).toHaveCount(12);
    const rowsBefore = await supportedRows(page);
    await row(page, 'MACKO i4, 4-bit').getByRole('cell').last().click();
    await expect(page).toHaveURL(/a\.valueType=i4/);
    await expect(row(page, 'MACKO i4, 4-bit')).toHaveAttribute('data-side', 'a');
    await expect(answer(page)).toContainText('MACKO stores this matrix in');
    await expect.poll(() => supportedRows(page)).toEqual(rowsBefore);
    await row(page, 'dense i4')
      .getByRole('cell')
      .last()
      .click({ modifiers: ['Shift'] });
    await expect(page).toHaveURL(/b=dense&b\.valueType=i4/);
    await expect(row(page, 'dense i4')).toHaveAttribute('data-side', 'b');
    await page.goBack();
    await expect(page).toHaveURL(/b=csr/);
    await nameButton(page, 'CSR f16, 16-bit').dblclick();
    await expect(page).toHaveURL(/#2\/watch\?.*[?&]a=csr/);
  });
  await test.step('the keys go through the rows and put them in A and B', async () => {
    await openCompare(page);
    await nameButton(page, 'MACKO f16, 4-bit').focus();
    await waitForSizes(page);
    const names = await table(page).locator('tbody th').allInnerTexts();
    await page.keyboard.press('Home');
    await expect(table(page).locator('tbody th button').first()).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await expect(page.locator(':focus')).toHaveText(names[1]);
    await page.keyboard.press('b');
    await expect(row(page, names[1])).toHaveAttribute('data-side', 'b');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(row(page, names[2])).toHaveAttribute('data-side', 'a');
    await page.keyboard.press('Shift+Enter');
    await expect(row(page, names[2])).toHaveAttribute('data-side', /a|b/);
    // Only one row is a stop of the Tab key.
    await expect(table(page).locator('tbody th button[tabindex="0"]')).toHaveCount(1);
  });
  await test.step('one click applies suggested parameters or a pruning, or opens another matrix', async () => {
    await openCompare(page);
    await row(page, 'BSR f16, 4 × 4')
      .getByRole('button', { name: /^block size/ })
      .click();
    await expect(page).toHaveURL(/a=bsr&.*a\.blockSize=\d+/);

    await row(page, 'SlideSparse f16, 6:8').getByRole('button', { name: 'prune to 6:8' }).click();
    await expect(page).toHaveURL(/prune=n-of-m:6:8/);
    await expect(row(page, 'SlideSparse f16, 6:8')).toHaveAttribute('data-state', 'known');
    await expect(row(page, 'SlideSparse f16, 6:8')).toHaveAttribute('data-side', 'a');

    await row(page, 'TwELL bf16').getByRole('button', { name: 'show an example' }).click();
    await expect(page).toHaveURL(/a=twell/);
    await expect(row(page, 'TwELL bf16')).toHaveAttribute('data-state', 'known');
  });
});

test(
  'the parameters with the fewest bytes are found by encoding',
  scheduled(
    'encodes many times',
    'src/pages/compare/rows/matrix-rows.test.ts: suggest parameters with fewer bytes, and none with more',
  ),
  async ({ page }) => {
    await openCompare(page);
    await page.getByRole('button', { name: 'find the smallest parameters' }).click();
    await expect(
      table(page)
        .getByRole('row')
        .filter({ hasText: 'EC-SpMV' })
        .getByRole('button', { name: /lanes 2/ }),
    ).toBeVisible({ timeout: 120_000 });
  },
);

test(
  'a run times the formats of the table, and labels times of a software adapter',
  scheduled(
    'compiles kernels on a software GPU',
    'src/pages/compare/rows/matrix-rows.test.ts: come from the fastest correct kernel of a run on it',
  ),
  async ({ page }) => {
    await openCompare(page, '&on=this');
    const measure = page.getByRole('button', { name: 'Measure CSR f16, 16-bit' });
    await measure.click();
    await expect(row(page, 'CSR f16, 16-bit').locator('td[data-col="measured"]')).toContainText(
      /\d\s[mµ]?s, software/,
      {
        timeout: 150_000,
      },
    );
    await expect(measure).toHaveCount(0);
  },
);

test(
  'the table can be exported',
  scheduled(
    'three files of one table',
    'src/pages/compare/rows/matrix-rows.test.ts, and the files that e2e/benchmark.spec.ts saves',
  ),
  async ({ page }) => {
    await openCompare(page, '&x.fold=counted');
    const save = async (kind: string): Promise<string> => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: `Save the table as ${kind}` }).click();
      return readFile(await (await download).path(), 'utf8');
    };
    expect(JSON.parse(await save('JSON'))).toMatchObject({ matrix: { rows: 96, cols: 128 }, statistics: {} });
    expect(await save('CSV')).toMatch(/^format,values and parameters,state,bytes,/);
    expect(await save('SVG')).toMatch(/^<svg [\s\S]*MACKO f16, 4-bit[\s\S]*<\/svg>/);
  },
);

test(
  'random weights of a model’s shape are ranked by closed forms at once, and encoded on request',
  scheduled(
    'one more page load',
    'src/pages/compare/rows/matrix-rows.test.ts: random weights instead of a model’s are compared by closed forms, and none is generated for it',
  ),
  async ({ page }) => {
    await page.goto('./#2/compare?model=llama-3.1-8b&layer=12&matrix=down&prune=magnitude:0.5&a=macko&b=csr');
    await expect(answer(page)).toContainText('MACKO stores this matrix in about 73.4\u202fMB');
    await expect(page.getByRole('region', { name: 'Counted' })).toContainText('Sizes computed.');
    await expect(row(page, 'EC-SpMV f16, 8-bit')).toContainText('its size depends on the matrix');
    await expect(page.getByRole('button', { name: 'prune to 6:8' })).toBeVisible();
  },
);

test(
  'the ranking passes axe in light and dark, and fits at 1024 and 390 px',
  scheduled('axe takes seconds for each state of the page', 'e2e/axe.spec.ts, which has Compare'),
  async ({ page }) => {
    await openCompare(page);
    expect(await axeViolationsInThemes(page)).toEqual([]);
    for (const width of [1024, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expect(row(page, 'MACKO f16, 4-bit')).toBeVisible();
      const overflow = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await expect.poll(overflow).toBeLessThanOrEqual(0);
    }
    expect(await axeViolations(page)).toEqual([]);
    // On a phone a row has two lines: its name with the column that sorts, and its bar.
    const height = async (): Promise<number | undefined> => (await row(page, 'MACKO f16, 4-bit').boundingBox())?.height;
    await expect.poll(height).toBeLessThan(64);
    await page.getByRole('button', { name: 'Sort by share of dense f16' }).click();
    await expect(row(page, 'MACKO f16, 4-bit').locator('td[data-col="share"]')).toBeVisible();
    await expect(row(page, 'MACKO f16, 4-bit').locator('td[data-col="bytes"]')).toBeHidden();
  },
);

test(
  'the published costs of pruning in accuracy are shown with their sources, at 1440 px in light and at 390 px in dark',
  scheduled(
    'axe takes seconds for each state of the page',
    'src/theory/models/published-losses.test.ts, and e2e/axe.spec.ts, which has Compare',
  ),
  async ({ page }) => {
    await page.goto('./#2/compare?src=generated:uniform&shape=64x64&density=0.3&seed=1&a=macko&x.fold=accuracy');
    const section = page.getByRole('region', { name: 'what pruning costs in accuracy' });
    await expect(section.getByRole('img', { name: /^Qwen3-1\.7B with nothing pruned answers 54\.0\s%/ })).toBeVisible();
    await expect(section.getByRole('img', { name: /1\.5B parameters: 46\.4 and 46\.2\s% right/ })).toBeVisible();
    for (const source of ['SlideSparse', 'EC-SpMV', 'TwELL']) {
      await expect(section.getByRole('link', { name: source })).toHaveAttribute('href', /^https:\/\/arxiv\.org\/abs\//);
    }
    for (const { width, colorScheme } of [
      { width: 1440, colorScheme: 'light' },
      { width: 390, colorScheme: 'dark' },
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await setColorScheme(page, colorScheme);
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await axeViolations(page, { within: '.published' }), `at ${width} px`).toEqual([]);
    }
  },
);

// Compare and Measure with a matrix of 4 × 4 cells, which is too small to be timed.

import type { Locator, Page } from '@playwright/test';
import { expect, scheduled, SparseScope, test } from './fixtures.ts';

/** A matrix of 4 × 4 cells with 6 non-zeros. In dense f16 each row of 8 bytes is padded to 16: 64 bytes for 32 bytes of cells. */
const SMALL_MATRIX = `%%MatrixMarket matrix coordinate real general
4 4 6
1 1 1
1 3 2
2 2 3
3 1 4
3 4 5
4 4 6
`;

/** Opens a page of the app and pastes the small matrix into it. */
async function pasteSmallMatrix(page: Page, pageId: 'compare' | 'measure'): Promise<void> {
  await new SparseScope(page).go(`#2/${pageId}`);
  // The default matrix must be open first, since it would otherwise replace the pasted matrix.
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('4\u202f096');
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, SMALL_MATRIX);
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('pasted');
}

/** The first heading of the page: its answer about the matrix. */
const answer = (page: Page): Locator => page.getByRole('main').getByRole('heading', { level: 2 }).first();

/** Marks, lines and texts of a chart that lie outside of its box, each as tag and text. */
async function outside(chart: Locator): Promise<readonly string[]> {
  return chart.evaluate((svg) => {
    const bounds = svg.getBoundingClientRect();
    const clipped = new Set(svg.querySelectorAll('g[clip-path] *'));
    return [...svg.querySelectorAll('line, text, circle, .plot-leader')].flatMap((mark) => {
      if (clipped.has(mark)) return [];
      const box = mark.getBoundingClientRect();
      const isInside =
        box.top >= bounds.top - 4 &&
        box.bottom <= bounds.bottom + 4 &&
        box.left >= bounds.left - 1 &&
        box.right <= bounds.right + 1;
      return isInside ? [] : [`${mark.tagName} ${mark.textContent}`];
    });
  });
}

test('for a pasted small matrix, Compare draws all bars and marks inside the chart, and Measure offers to time its pattern enlarged', async ({
  page,
}) => {
  await pasteSmallMatrix(page, 'compare');
  await expect(answer(page)).toHaveText('MACKO stores this matrix in 40 bytes, dense f16 in 32.');
  const chart = page.getByRole('img', { name: /^Bytes of this matrix/ });
  await expect(chart.locator('.plot-name').filter({ hasText: 'dense f16' })).toBeVisible();
  expect(await outside(chart)).toEqual([]);
  // The axis ends at a tick. Measurements of language models' layers are not drawn, since they are not about this matrix.
  await expect(chart.getByText('250', { exact: true })).toBeVisible();
  await expect(chart.locator('.series-squares')).toHaveCount(0);
  const table = page.getByRole('table', { name: 'All formats on this matrix' });
  await expect(table.locator('thead')).toContainText('dense f16');
  // EC-CSR takes 712 bytes, 22.3 times the 32 of the cells, longer than the scale: its bar is cut off, with the length as a text.
  await expect(table.getByRole('row', { name: /^EC-SpMV/ }).locator('td.bars')).toHaveText('22.3×');
  await expect(table.getByRole('row', { name: /^MACKO/ }).locator('td.bars')).toHaveText('');
  await new SparseScope(page).link('Measure').click();
  await expect(page.getByRole('button', { name: /^Time the same pattern at 4.096 × 4.096$/ })).toBeEnabled();
  await expect(page.getByRole('main')).not.toContainText('Loading');
});

test(
  'a run of all formats can be cancelled, and ends with one bar for each format, the fastest first',
  scheduled('every format is timed on a GPU in software', 'src/pages/measure/answer/all-times.test.ts'),
  async ({ page }) => {
    await new SparseScope(page).go(
      '#2/measure?src=generated:uniform&shape=64x64&density=0.3&seed=1&a=macko&b=dense&x.fold=settings',
    );
    await page.getByRole('textbox', { name: 'rounds' }).fill('2');
    const run = page.getByRole('region', { name: 'Run' });
    await run.getByRole('button', { name: 'Run all formats' }).click();
    await expect(run.getByRole('button', { name: 'Cancel' })).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 200_000 });
    await expect(run.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
    const bars = page.getByRole('region', { name: 'Time of one product' }).locator('.time-bar');
    expect(await bars.count()).toBeGreaterThan(5);
    const timeTextLefts = await bars
      .locator('.time-bar-figures')
      .evaluateAll((texts) => texts.map((figures) => figures.getBoundingClientRect().left));
    // Each time is written at the end of its bar, so ascending positions mean that bars are sorted by length.
    expect(timeTextLefts).toEqual(timeTextLefts.toSorted((a, b) => a - b));
    await expect(answer(page)).toContainText(/Of \d+ formats, .+ is the fastest/);
  },
);

test(
  'the end of a story times the pattern of a small matrix repeated, and Measure shows the same times',
  scheduled(
    'a matrix of 16 million cells is timed on a GPU in software',
    'src/engine/services.test.ts, times a larger matrix that repeats the open one, and src/kit/report/matrix-run.test.ts',
  ),
  async ({ app, page }) => {
    test.setTimeout(400_000);
    const cells = 'src=cells:0:1;2:2,1:3,0:4;3:5,3:6&shape=4x4';
    await app.open(`#2/watch?${cells}&a=macko&b=none`, { byFrames: true });
    await app.stage.focus();
    await page.keyboard.press('End');
    const time = app.stage.getByRole('button', { name: /^Time the same pattern at 4.096 × 4.096$/ });
    await time.click();
    await expect(page.getByRole('progressbar')).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 350_000 });
    // Its times stand in the picture now.
    await expect(time).toHaveCount(0);
    await app.link('Measure').click();
    const result = page.getByRole('region', { name: 'The same pattern, larger' });
    await expect(result).toContainText('not the matrix above');
    await expect(result).toContainText(/MACKO multiplies this pattern at 4.096 × 4.096 in/);
    // The answer is still about the small matrix.
    await expect(answer(page)).not.toContainText('4\u202f096');
  },
);

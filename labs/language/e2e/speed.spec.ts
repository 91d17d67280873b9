// The tab Speed, in the built page.

import { expect, scheduled, test } from '../../../e2e/fixtures.ts';
import { axeViolationsInTestAll } from '../../../e2e/axe-violations-in-test-all.ts';

test.use({ hasRecordings: true });

test(
  'the tab Speed shows the time of a token of this model and of a large model',
  scheduled(
    'a token is timed on a GPU in software',
    'labs/language/page/speed/texts.test.ts, labs/language/page/speed/shapes.test.ts and labs/language/page/service/decoders.gpu.test.ts',
  ),
  async ({ page }) => {
    await page.goto('./#2/language/speed?x.fold=token.shapes.rates');
    await expect(
      page.getByRole('heading', { name: /reading its weights takes .+, starting its kernels / }),
    ).toBeVisible();
    await expect(page.getByRole('img', { name: /^dense: \d+ dispatches/ })).toBeVisible();
    const shapes = page.getByRole('region', { name: 'Llama-2-7B, shape by shape' });
    await expect(shapes.getByRole('row', { name: /^down/ })).toContainText('µs');
    // Whole tokens were recorded: what is no matrix is the difference.
    await expect(shapes.getByRole('row', { name: /^attention/ })).toContainText('whole less matrices');
    await expect(page.getByRole('img', { name: /dense: 3\.\d+ for the matrices, 3\.88 whole/ })).toBeVisible();
    // Between measured densities nothing is made up.
    const densitySlider = page.getByRole('slider', { name: 'Left of the large model' });
    await densitySlider.focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
    await expect(shapes.getByRole('row', { name: /^down/ })).toContainText('not measured');
    await expect(page).toHaveURL(/x\.left=0\.7/);
    await page.getByRole('button', { name: 'Time a token' }).click();
    await expect(page.getByRole('list', { name: 'Timed here' })).toContainText('a token by the wall clock', {
      timeout: 120_000,
    });
  },
);

test(
  'whole tokens are verified on a software adapter with tiny sizes and without times, and the report survives a reload',
  scheduled(
    'chains of kernels are compiled on a GPU in software',
    'labs/language/decoders/shapes/decode-shapes.gpu.test.ts and src/state/reports/decode-reports.test.ts',
  ),
  async ({ page }) => {
    await page.goto('./#2/language/speed?a=macko&x.fold=decode');
    await page.getByRole('button', { name: 'Decode 100 tokens' }).click();
    await page.getByRole('button', { name: 'cancel', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Decode 100 tokens' })).toBeVisible({ timeout: 120_000 });
    await page.getByRole('button', { name: 'Decode 100 tokens' }).click();
    const result = page.getByRole('region', { name: 'Llama-2-7B in MACKO, whole tokens' });
    await expect(result.getByRole('row', { name: /^stages right/ })).toContainText('14/14, 14/14', {
      timeout: 120_000,
    });
    await expect(page.getByText('software, not timed')).toBeVisible();
    await expect(result.getByRole('row', { name: /per second/ })).toHaveCount(0);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'save JSON' }).click();
    expect((await saved).suggestedFilename()).toBe('decode-llama-2-7b-macko-0.5.json');
    await page.reload();
    await expect(result).toBeVisible();
    expect(await axeViolationsInTestAll(page)).toEqual([]);
    await page.getByRole('button', { name: 'and dense' }).click();
    const dense = page.getByRole('region', { name: 'Llama-2-7B in dense, whole tokens' });
    await expect(dense.getByRole('row', { name: /^stages right/ })).toContainText('14/14, 14/14', { timeout: 120_000 });
    await expect(result).toBeVisible();
    await page.getByRole('button', { name: 'remove', exact: true }).first().click();
    await expect(result).toHaveCount(0);
    await expect(dense).toBeVisible();
  },
);

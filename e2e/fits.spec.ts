// No text of a page is clipped or overlaps other text, and the first screens fit.

import { expect, RUNS_ALL, scheduled, test } from './fixtures.ts';
import { expectFits, expectPagesFit, SIZES } from './page-fits.ts';
import { unfit } from './unfit.ts';

const DIGITS = 'src=example:digits-fc2-70';
const LAYER = 'model=llama-3.1-8b&layer=12&matrix=down&prune=magnitude:0.5&a=macko&b=dense';

const GENERATED_4096 = 'src=generated:uniform&shape=4096x4096&density=0.3';

/** The pages of src; the pages of labs are tested in their folders. */
const PAGES = [
  ['Watch', `#2/watch?${DIGITS}`, '.watch-words .narration:not(:empty)'],
  ['Compare about a matrix', `#2/compare?${DIGITS}`, '.ranked tbody tr'],
  ['Compare about a model', '#2/compare?model=llama-3.1-8b&prune=magnitude:0.5&on=rtx-4090', '.ranked tbody tr'],
  ['Measure', `#2/measure?${LAYER}`, '.time-bar-figures'],
  ['Measure of a generated matrix', `#2/measure?${GENERATED_4096}`, '.time-bar-figures'],
  ['a kernel', '#2/code/csr/spmv_scalar?src=generated:uniform&shape=24x32&density=0.4', 'pre'],
  ['Learn', '#2/learn', 'main'],
  ['a lesson', '#2/learn/small-gaps', '.lesson-article'],
  ['an embedded stage', '#2/embed?a=macko&moment=9', '.scene-view canvas'],
] as const;

/** Names of pages that resemble others, so they are examined only if all tests run. */
const SIMILAR_PAGES: readonly string[] = [
  // Its chart is also in the test of Compare's chart below, and its rows resemble those of a matrix.
  'Compare about a model',
  'Measure of a generated matrix',
];

/** Height of the numbers and the title below a chart's axis, in px. */
const BELOW_PLOT = 40;

test.use({ reducedMotion: 'reduce', hasRecordings: true, details: '' });

test('the first screen shows all entry links without scrolling, on a small laptop and on a phone', async ({
  app,
  page,
}) => {
  await page.setViewportSize(SIZES[0]);
  const first = await app.firstVisit();
  const time = first.getByRole('button', { name: 'Time it here' });
  const links = [time, ...(await first.locator('.visit-way').all())];
  expect(links).toHaveLength(7);
  for (const link of links) await expect(link).toBeInViewport({ ratio: 1 });
  await expectFits(page, 'the first screen');
  await page.setViewportSize(SIZES[1]);
  await expect(time).toBeInViewport({ ratio: 1 });
  // On a phone the links to pages are at the lower edge, in front of the scrolling content.
  const pages = await page.getByRole('navigation', { name: 'Pages' }).boundingBox();
  const box = await time.boundingBox();
  expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(pages?.y ?? 0);
});

test('on every page no text is clipped or overlaps other text, also with details sections open', async ({ app }) => {
  await expectPagesFit(
    app,
    PAGES.filter(([name]) => RUNS_ALL || !SIMILAR_PAGES.includes(name)),
  );
});

/** Selections, as parameters of an address, whose charts are examined. */
const CHART_SELECTIONS = [
  LAYER,
  ...(RUNS_ALL ? [DIGITS, GENERATED_4096, 'src=example:digits-gate-l1-1e-2&a=twell&b=dense'] : []),
  'model=llama-3.1-8b&prune=magnitude:0.5&a=macko&b=dense',
] as const;

test('the chart of Compare is on the first screen of a desktop, and its labels do not overlap at any width', async ({
  app,
  page,
}) => {
  for (const selection of CHART_SELECTIONS) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await app.go(`#2/compare?${selection}`);
    const chart = page.getByRole('region', { name: 'By density' });
    const plot = chart.locator('.plot');
    await expect(page.locator('.ranked tbody tr').first()).toBeVisible();
    // EC-CSR's search for blocks takes long on a busy machine.
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0, { timeout: 120_000 });
    const detailsButton = page.getByRole('main').getByRole('button', { name: 'details', exact: true });
    // The numbers below the axis may be outside of the screen; the chart above them may not.
    await expect
      .poll(async () => {
        const [box, limit] = [await plot.boundingBox(), await detailsButton.boundingBox()];
        return box && limit ? box.y + box.height - BELOW_PLOT - limit.y : Number.NaN;
      }, selection)
      .toBeLessThanOrEqual(0);
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(() => plot.scrollIntoViewIfNeeded()).toPass();
      await expect.poll(() => unfit(page, 'section.by-density'), `${selection} at ${width} px`).toEqual([]);
    }
  }
});

test(
  'in dialogs no text is clipped or overlaps other text',
  scheduled(
    'dialogs at three widths',
    'e2e/fits.spec.ts, on every page no text is clipped or overlaps other text, and e2e/layout.spec.ts',
  ),
  async ({ app, page }) => {
    await app.open();
    const dialog = page.getByRole('dialog');
    for (const [name, key] of [
      ['the palette', 'ControlOrMeta+k'],
      ['the list of keys', '?'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(dialog).toBeVisible();
      await expectFits(page, name, 'dialog, [role="dialog"]');
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
    }
    await page.setViewportSize(SIZES[0]);
    await app.button('Export').click();
    await expect(dialog).toBeVisible();
    await expectFits(page, 'Export', '[role="dialog"], dialog');
    await page.keyboard.press('Escape');
    await page.setViewportSize(SIZES[0]);
    await app.openMatrixPicker();
    await expect.poll(() => unfit(page, '[role="dialog"], dialog'), 'the matrix picker').toEqual([]);
  },
);

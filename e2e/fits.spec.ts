import type { Page } from '@playwright/test';
import { expect, RUNS_ALL, scheduled, test } from './fixtures.ts';
import { unfit } from './unfit.ts';

/** A small laptop, a phone, the narrowest page that zooming makes, and a desk. */
const SIZES = [
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
  { width: 1440, height: 900 },
] as const;
type Size = (typeof SIZES)[number];

const DIGITS = 'src=example:digits-fc2-70';
const LAYER = 'model=llama-3.1-8b&layer=12&matrix=down&prune=magnitude:0.5&a=macko&b=dense';

/** Its chart is that of a layer. */
const LARGE = 'src=generated:uniform&shape=4096x4096&density=0.3';

/** With what is there once the page has said what it has to say. */
const PAGES = [
  ['Watch', `#2/watch?${DIGITS}`, '.watch-words .narration:not(:empty)'],
  ['Compare about a matrix', `#2/compare?${DIGITS}`, '.ranked tbody tr'],
  ['Compare about a model', '#2/compare?model=llama-3.1-8b&prune=magnitude:0.5&on=rtx-4090', '.ranked tbody tr'],
  ['Measure', `#2/measure?${LAYER}`, '.time-bar-figures'],
  ['Measure of a small matrix', `#2/measure?${LARGE}`, '.time-bar-figures'],
  ['Language', '#2/language', '.answer-line[aria-busy="false"], .answer-text'],
  ['Training', '#2/train', '.answer-line[aria-busy="false"]'],
  ['Quality', '#2/language/quality', '.answer-line[aria-busy="false"], .answer-text'],
  ['Neurons', '#2/language/neurons', '.answer-line[aria-busy="false"], .answer-text'],
  ['Speed', '#2/language/speed', '.answer-line[aria-busy="false"], .answer-text'],
  ['a kernel', '#2/code/csr/spmv_scalar?src=generated:uniform&shape=24x32&density=0.4', 'pre'],
  ['Learn', '#2/learn', 'main'],
  ['a lesson', '#2/learn/small-gaps', '.lesson-article'],
  ['an embedded stage', '#2/embed?a=macko&moment=9', '.scene-view canvas'],
] as const;

/** Pages of one kind with others: examined where all tests run. */
const ALIKE: readonly string[] = [
  // Its chart is that of the picture of Compare below, its rows are those of a matrix.
  'Compare about a model',
  'Measure of a small matrix',
  'Quality',
  'Neurons',
  'Speed',
];

/** Of a chart: numbers and title of the axis, px. */
const BELOW_PLOT = 40;

test.use({ reducedMotion: 'reduce', hasRecordings: true, details: '' });

/** In turn: the phone and the desk have the layouts of the narrowest page and the laptop. */
const sizesOf = (position: number) => SIZES.filter((_, i) => RUNS_ALL || i % 2 === position % 2);

/** At some sizes: the page is not opened anew, only its window changes. */
async function expectFits(page: Page, what: string, within?: string, sizes: readonly Size[] = SIZES): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expect.poll(() => unfit(page, within), `${what} at ${size.width} px`).toEqual([]);
  }
}

test('the first screen shows every way in without scrolling, on a small laptop and on a phone', async ({
  app,
  page,
}) => {
  await page.setViewportSize(SIZES[0]);
  const first = await app.firstVisit();
  const time = first.getByRole('button', { name: 'Time it here' });
  const ways = [time, ...(await first.locator('.visit-way').all())];
  expect(ways).toHaveLength(7);
  for (const way of ways) await expect(way).toBeInViewport({ ratio: 1 });
  await expectFits(page, 'the first screen');
  await page.setViewportSize(SIZES[1]);
  await expect(time).toBeInViewport({ ratio: 1 });
  // The places are at the lower edge, above what scrolls.
  const pages = await page.getByRole('navigation', { name: 'Pages' }).boundingBox();
  const box = await time.boundingBox();
  expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(pages?.y ?? 0);
});

test('in every place nothing is cut and nothing lies over other words, also with its drawer open', async ({
  app,
  page,
}) => {
  for (const [i, [name, hash, there]] of PAGES.entries()) {
    if (!RUNS_ALL && ALIKE.includes(name)) continue;
    await page.setViewportSize(SIZES[0]);
    await (hash.startsWith('#2/embed') ? page.goto(`./${hash}`) : app.go(hash));
    await expect(page.locator(there).first()).toBeVisible();
    await expectFits(page, name, undefined, sizesOf(i));
    const drawer = page.getByRole('main').getByRole('button', { name: 'details', exact: true });
    if ((await drawer.count()) === 0) continue;
    await drawer.press('Enter');
    await expect(drawer).toHaveAttribute('aria-expanded', 'true');
    // Below a long column it is where the column ends. Where not all tests run, at the width that the page has.
    for (const size of RUNS_ALL ? sizesOf(i) : sizesOf(i).slice(-1)) {
      await page.setViewportSize(size);
      // A page of another width is laid out anew, and the drawer with it.
      await expect(() => drawer.scrollIntoViewIfNeeded()).toPass();
      await expect.poll(() => unfit(page), `${name} at ${size.width} px with its drawer open`).toEqual([]);
    }
  }
});

const CHARTED = [
  LAYER,
  ...(RUNS_ALL ? [DIGITS, LARGE, 'src=example:digits-gate-l1-1e-2&a=twell&b=dense'] : []),
  'model=llama-3.1-8b&prune=magnitude:0.5&a=macko&b=dense',
] as const;

test('the picture of Compare is on the first screen of a desk, and its labels are apart at every width', async ({
  app,
  page,
}) => {
  for (const of of CHARTED) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await app.go(`#2/compare?${of}`);
    const chart = page.getByRole('region', { name: 'By density' });
    const plot = chart.locator('.plot');
    await expect(page.locator('.ranked tbody tr').first()).toBeVisible();
    // A search for blocks takes a busy machine its time.
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0, { timeout: 120_000 });
    const drawer = page.getByRole('main').getByRole('button', { name: 'details', exact: true });
    // The numbers along its lower edge may be below the screen, what they are of may not.
    await expect
      .poll(async () => {
        const [box, limit] = [await plot.boundingBox(), await drawer.boundingBox()];
        return box && limit ? box.y + box.height - BELOW_PLOT - limit.y : Number.NaN;
      }, of)
      .toBeLessThanOrEqual(0);
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(() => plot.scrollIntoViewIfNeeded()).toPass();
      await expect.poll(() => unfit(page, 'section.left'), `${of} at ${width} px`).toEqual([]);
    }
  }
});

test(
  'in dialogs nothing is cut and nothing lies over other words',
  scheduled('dialogs at three widths', 'e2e/fits.spec.ts, in every place, and e2e/layout.spec.ts'),
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
    await expect.poll(() => unfit(page, '[role="dialog"], dialog'), 'the chooser').toEqual([]);
  },
);

// Watch with one format and with two next to each other: layout, sentences, tables, and formats that reject the matrix.

import { expect, scheduled, test } from './fixtures.ts';

test.use({ details: '', reducedMotion: 'reduce' });

/** The address of MACKO next to format `b`, in a window whose first row needs a padding zero. */
const besideMacko = (b: string): string => `#2/watch?src=example:digits-fc2-70&a=macko&b=${b}&beside=1&win=40,0,5,32`;

for (const against of ['csr', 'dense']) {
  test(
    `MACKO next to ${against} is visible from cells to bytes without scrolling on laptops`,
    scheduled(
      'three sizes with five frames',
      'test/stage-use.test.ts, and e2e/sizes.spec.ts for the stage at two sizes',
    ),
    async ({ app, page }) => {
      await app.open(besideMacko(against), { byFrames: true });
      await app.fontsLoaded();
      await expect(app.stage.getByRole('heading', { level: 2 })).toContainText('199\u202f352 bytes');
      for (const [width, height] of [
        [1280, 720],
        [1366, 768],
        [1024, 768],
      ]) {
        await page.setViewportSize({ width, height });
        await page.keyboard.press('Home');
        await expect(app.count).toContainText('frame 1 of');
        for (let frame = 2; frame <= 5; frame++) {
          await page.keyboard.press('ArrowRight');
          await expect(app.count).toContainText(`frame ${frame} of`);
          const where = `frame ${frame} at ${width} × ${height}`;
          const overflow = (): Promise<number> =>
            app.stage.evaluate((stage) => stage.scrollHeight - stage.clientHeight);
          await expect.poll(overflow, where).toBe(0);
          const gap = async (): Promise<number> => {
            const picture = await app.stage.locator('canvas').first().boundingBox();
            const detailsButton = await app.button('details').boundingBox();
            return (detailsButton?.y ?? 0) - (picture?.y ?? 0) - (picture?.height ?? 0);
          };
          await expect.poll(gap, where).toBeGreaterThanOrEqual(0);
        }
        await expect(app.button('Play')).toBeInViewport({ ratio: 1 });
      }
    },
  );
}

test('two stories share one sentence and name their tables; for a format that rejects the matrix, two buttons offer alternatives', async ({
  app,
  page,
}) => {
  await test.step('two stories have one sentence: that of A, or that of B where only B continues', async () => {
    await app.go(besideMacko('csr'));
    await app.ready();
    const count = Number(/\d+$/.exec((await app.count.textContent()) ?? '')?.[0]);
    const texts: string[] = [];
    for (let frame = 2; frame <= count; frame++) {
      await page.keyboard.press('ArrowRight');
      await expect(app.count).toContainText(`frame ${frame} of`);
      texts.push((await app.narration.textContent()) ?? '');
    }
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.some((text) => text.includes('No column is skipped. values[0] = 0.10'))).toBe(true);
    for (const text of texts) expect(text).not.toMatch(/MACKO.*CSR:|.CSR:/);
  });
  await test.step('hovering an element in the table of one format shows its name', async () => {
    await app.go(besideMacko('csr'));
    await app.ready();
    // From this frame on, both formats have stored elements.
    await app.button('Next frame').click();
    await app.button('Next frame').click();
    await app.button('details').click();
    await app.button('tables').click();
    const tables = app.details('tables');
    await expect(tables.getByRole('group', { name: 'MACKO: elements of values' })).toBeVisible();
    await tables.getByRole('group', { name: 'CSR: elements of data' }).getByRole('cell').first().hover();
    await expect(tables).toContainText('data[0]:');
  });
  await test.step('a format that rejects the matrix gives the reason and two alternatives, and the other story continues', async () => {
    await app.go('#2/watch?src=generated:uniform&shape=8x32&density=0.9&seed=3&a=csr&b=slidesparse&beside=1');
    await app.ready();
    const rejected = page.getByRole('region', { name: 'SlideSparse cannot store this matrix' });
    await expect(app.stage.locator('canvas').first()).toBeVisible();
    await expect(rejected.getByRole('button')).toHaveCount(2);
    await rejected.getByRole('button', { name: /^Prune the matrix to / }).click();
    await expect(rejected).toHaveCount(0);
    await app.go('#2/watch?src=generated:uniform&shape=8x512&density=0.9&seed=3&a=twell&b=csr&beside=1');
    await app.ready();
    const twell = page.getByRole('region', { name: 'TwELL cannot store this matrix' });
    await expect(twell).toContainText('TwELL');
    await page.keyboard.press('ArrowRight');
    await expect(app.count).toContainText('frame 2 of');
    await twell.getByRole('button', { name: /^Show TwELL on / }).click();
    await expect(twell).toHaveCount(0);
    await expect(app.button(/^back to /)).toBeVisible();
  });
});

test(
  'the headline is about the whole matrix in both formats, and is dimmed until the new one is computed',
  scheduled(
    'two more matrices are encoded',
    'src/pages/watch/answer/answer-words.test.ts and the answer at 390 px in e2e/selection.spec.ts',
  ),
  async ({ app, page }) => {
    await app.open(besideMacko('csr'), { byFrames: true });
    const answer = app.stage.getByRole('heading', { level: 2 });
    await expect(answer).toContainText('MACKO stores this matrix in 199\u202f352 bytes, CSR in 316\u202f624: ');
    await app.chooseFormat('ELL');
    await expect(answer).toContainText('ELL stores this matrix in');
    await expect(answer).not.toHaveAttribute('data-old');
    await app.chooseFormat('TwELL');
    await expect(page.getByRole('region', { name: 'TwELL cannot store this matrix' })).toBeVisible();
    await expect(answer).toContainText('TwELL cannot store this matrix; CSR stores it in');
    await expect(page.getByRole('alert')).toHaveCount(0);
  },
);

test('on a phone the cells stay in view above A, and A is above B', async ({ app, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await app.open(besideMacko('csr'), { byFrames: true });
  await app.button('Next').click();
  const [cells, formats] = [app.stage.locator('canvas').first(), app.stage.locator('canvas[role="img"]').nth(1)];
  await expect(cells).toBeVisible();
  await app.stage.evaluate((stage) => stage.scrollTo(0, stage.scrollHeight));
  await expect(cells).toBeInViewport({ ratio: 0.9 });
  await expect(formats).toBeInViewport();
  await expect(app.button('Next')).toBeInViewport({ ratio: 1 });
});

/** Stories with short and long answers: each paper's format, and TwELL next to dense. */
const ON_PHONES = [
  'src=example:digits-fc2-70&a=macko&b=none',
  'src=example:ec-csr-two-rounds&a=ec-csr&b=none',
  'src=example:digits-gate-l1-1e-2&a=twell&b=none',
  'src=example:digits-gate-l1-1e-2&a=twell&b=dense',
  'src=example:digits-fc1-6-8&a=slidesparse&b=none',
];

test(
  'on a phone in the mode “every step”, headline, text and picture do not overlap, whatever their length',
  scheduled('five stories are told', 'e2e/fits.spec.ts, on every page no text is clipped or overlaps other text'),
  async ({ app, page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const address of ON_PHONES) {
      await app.go(`#2/watch?${address}`);
      await app.ready();
      await app.everyStep();
      await app.fontsLoaded();
      await expect(app.stage.getByRole('heading', { level: 2 })).toContainText(
        /stores? (this matrix in|it in)|cannot store/,
      );
      // The range of the text is measured: an element's box may be lower than its text.
      const gaps = (): Promise<readonly number[]> =>
        app.stage.evaluate((stage) => {
          const boxes = ['h2', '.narration', 'canvas'].map((selector) => {
            const range = document.createRange();
            range.selectNode(stage.querySelector(selector) ?? stage);
            return range.getBoundingClientRect();
          });
          return boxes.slice(1).map((box, i) => Math.min(0, Math.round(box.top - boxes[i].bottom)));
        });
      await expect.poll(gaps, address).toEqual([0, 0]);
    }
  },
);

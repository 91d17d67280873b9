// Layout at many widths: nothing is clipped, the stage shrinks with the window, and nothing jumps.

import { expect, RUNS_ALL, scheduled, test } from './fixtures.ts';

test('no text is clipped at any width, the player is in view, and a narrow header has one button for further links', async ({
  app,
  page,
}) => {
  await test.step('no text is clipped at any width, and the player is in view', async () => {
    const widths = [360, 390, 600, 768, 960, 1024, 1440, 1920, 2560];
    const resize = async (width: number): Promise<void> => {
      await page.setViewportSize({ width, height: 800 });
      // The page has adapted to the new size after two frames.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    };
    await resize(widths[0]);
    await app.open();
    const overflow = (): Promise<number> =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    for (const width of widths) {
      await resize(width);
      await expect.poll(overflow, `Watch at ${width} px`).toBe(0);
      await expect(app.button('Play'), `at ${width} px`).toBeInViewport({ ratio: 1 });
      await expect(app.stage.locator('canvas').first(), `at ${width} px`).toBeInViewport();
      // Where the shape does not fit next to the name, the comma between them is also omitted.
      await expect.poll(() => app.selection.innerText(), `at ${width} px`).not.toMatch(/,\n(?!\d)/);
    }
    // Without all tests, e2e/fits.spec.ts would detect that Measure scrolls sideways.
    if (!RUNS_ALL) return;
    await app.link('Measure').click();
    await expect(page).toHaveTitle(/Measure/);
    await expect(app.runButton).toBeEnabled();
    for (const width of widths) {
      await resize(width);
      await expect.poll(overflow, `Measure at ${width} px`).toBe(0);
    }
  });
  await test.step('in a narrow header one button opens Share, Export and Present', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await app.link('Watch').click();
    await app.ready();
    const moreButton = app.button('Share, export or present');
    await moreButton.click();
    await app.button('Export').click();
    await expect(page.getByRole('dialog')).toContainText('Numbered PNGs');
    await page.keyboard.press('Escape');
    await moreButton.click();
    await page.keyboard.press('Escape');
    await expect(app.button('Export')).toBeHidden();
    await moreButton.click();
    await app.button('Present').click();
    await expect(page.getByRole('main', { name: 'Presentation' })).toBeVisible();
  });
});

for (const [pageName, hash] of [
  ['Watch', '#2/watch?src=example:digits-fc2-70&moment=0'],
  ['an embedded stage', '#2/embed?a=macko&moment=9'],
  ['a lesson', '#2/learn/why-bytes-decide'],
  ['a presentation', '#2/watch?a=macko&b=none&moment=9'],
] as const) {
  test(
    `the stage of ${pageName} shrinks with the window`,
    scheduled(
      'the stage at one more size, in four places',
      'e2e/layout.spec.ts, no text is clipped at any width, which goes through the sizes in Watch',
    ),
    async ({ app, page }) => {
      await page.setViewportSize({ width: 1366, height: 800 });
      await page.goto(`./${hash}`);
      await expect(app.slider).not.toHaveAttribute('aria-valuemax', '0');
      if (pageName === 'a presentation') {
        // Only a window that does not fill the screen can be resized.
        await page.evaluate(
          () => (document.documentElement.requestFullscreen = () => Promise.reject(new Error('denied'))),
        );
        await app.button('Present').focus();
        await page.keyboard.press('p');
      }
      const canvas = page.locator('.scene-view canvas').first();
      await expect(canvas).toBeVisible();
      await page.setViewportSize({ width: 1024, height: 600 });
      /** How far text, tools and picture extend beyond the stage, in px. */
      const overflow = (): Promise<number> =>
        canvas.evaluate((picture) => {
          const stage = picture.closest('.watch-stage, .stage, .embed-stage, .present-stage');
          return stage ? stage.scrollWidth - stage.clientWidth : Number.NaN;
        });
      await expect.poll(overflow).toBe(0);
      await expect(canvas).toBeInViewport();
      await expect(app.slider).toBeInViewport({ ratio: 1 });
    },
  );
}

test(
  'names fit in an embedded stage and below a lesson',
  scheduled('geometry of two widths', 'e2e/layout.spec.ts, no text is clipped at any width'),
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('./#2/embed?a=macko&b=none&frame=4');
    const name = page.locator('.frames-name[data-current]');
    await expect(name).toHaveText('Store');
    await expect.poll(() => name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto('./#2/learn/small-gaps');
    const foot = page.locator('.lesson-foot');
    await expect(foot).toContainText('Storing only what is there');
    await expect.poll(() => foot.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
    await expect.poll(() => foot.evaluate((element) => element.clientHeight)).toBeLessThan(72);
  },
);

test.describe('details sections', () => {
  test.use({ details: '' });

  for (const width of [390, 1440]) {
    test(
      `details sections open below the picture at ${width} px, and stay open after a reload`,
      scheduled(
        'two page loads at each of two widths',
        'e2e/watch.spec.ts, where the fold with tables is opened, and e2e/present.spec.ts, where a closed one stays closed',
      ),
      async ({ app, page }) => {
        await page.setViewportSize({ width, height: 844 });
        await app.open();
        const code = app.details('this step in the encoder');
        await expect(code).toHaveCount(0);
        await app.button('details').click();
        await app.button('this step in the encoder').click();
        await expect(code).toContainText('MACKO');
        await expect(code).toBeInViewport();
        await app.button('bytes by purpose').click();
        await expect(app.details('bytes by purpose')).toContainText('padding');
        await app.button('this step in the encoder').click();
        await expect(code).toHaveCount(0);
        await page.reload();
        await expect(app.details('bytes by purpose')).toContainText('padding');
        await expect(code).toHaveCount(0);
        await expect(app.button('Play')).toBeInViewport({ ratio: 1 });
      },
    );
  }
});

test(
  'the stage does not jump while the story plays',
  scheduled(
    'twelve steps',
    'test/stage-use.test.ts for the room of a picture, and e2e/skeleton.spec.ts for what moves when a story arrives; what moves at a step, by nothing',
  ),
  async ({ app }) => {
    await app.open();
    await app.fontsLoaded();
    const canvas = app.stage.locator('canvas').first();
    // Step 0 has a different picture: why bytes decide.
    await app.oneStep();
    await app.expectStep(1);
    const boxes = async () => [await canvas.boundingBox(), await app.slider.boundingBox()];
    // The details sections load late. Once two frames are the same, nothing may move.
    let before = await boxes();
    await expect
      .poll(async () => {
        const last = before;
        before = await boxes();
        return JSON.stringify(last) === JSON.stringify(before);
      })
      .toBe(true);
    for (let i = 1; i < 12; i++) {
      await app.oneStep();
      await app.expectStep(i + 1);
      await expect.poll(boxes, `at step ${i + 1}`).toEqual(before);
    }
  },
);

for (const [pageName, hash, width] of [
  ['Watch', '', 1440],
  ['Compare', '#2/compare?b=none&x.picture=speed', 390],
  ['Learn', '#2/learn', 390],
  ['a lesson', '#2/learn/small-gaps', 1024],
] as const) {
  const details = scheduled(
    'one page load for each of four places',
    'e2e/layout.spec.ts, no text is clipped at any width, if the page is too wide; if it is too high, by nothing',
  );
  test(`a script cannot scroll the page of ${pageName} at ${width} px away`, details, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`./${hash}`);
    await expect(page.getByRole('main').getByRole('heading').or(page.locator('.narration')).first()).toBeVisible();
    const scrolled = (): Promise<number> =>
      page.evaluate(() => {
        window.scrollTo(1000, 1000);
        return Math.max(window.scrollX, window.scrollY);
      });
    await expect.poll(scrolled).toBe(0);
    // Content that loads late might make the page scrollable.
    await page.waitForLoadState('networkidle');
    await expect.poll(scrolled).toBe(0);
  });
}

test(
  'at 390 px the details of Compare can be scrolled into view above the links to pages',
  scheduled('geometry of one width', 'e2e/layout.spec.ts, no text is clipped at any width'),
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('./#2/compare?src=example:digits-fc2-70');
    const foot = page.locator('.details-line');
    await expect(foot).toBeAttached();
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await expect.poll(() => pages.evaluate((element) => Math.round(element.getBoundingClientRect().bottom))).toBe(844);
    const edge = await pages.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    // Content that loads late makes the page longer, so scrolling to the end is repeated.
    await expect(async () => {
      await page.getByRole('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
      // Not 1: heights are rounded to whole px.
      await expect(foot).toBeInViewport({ ratio: 0.99, timeout: 1000 });
      const bottom = await foot.evaluate((element) => Math.round(element.getBoundingClientRect().bottom));
      expect(bottom).toBeLessThanOrEqual(edge);
    }).toPass();
  },
);

for (const [width, height] of [
  [1440, 800],
  [390, 700],
] as const) {
  const details = scheduled(
    'one dialog at two widths',
    'e2e/learn.spec.ts, where a set of questions is put together in this dialog',
  );
  test(`the buttons of the question set dialog are in view at ${width} x ${height}`, details, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.goto('./#2/learn');
    await page
      .getByRole('button', { name: /question/i })
      .last()
      .click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('group', { name: 'Add a question' })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Copy link', exact: true })).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByRole('button', { name: 'Open the set' })).toBeInViewport({ ratio: 1 });
  });
}

test(
  'all select elements have the same style',
  scheduled('looks of one kind of field', 'e2e/axe.spec.ts, as far as their colours have too little contrast'),
  async ({ page }) => {
    const styles = new Set<string>();
    for (const hash of ['#2/measure?b=none&x.fold=settings', '#2/measure?b=none&x.fold=roofline']) {
      // After a change of the hash alone, the selects of the previous page would still be there for a moment.
      await page.goto('about:blank');
      await page.goto(`./${hash}`);
      await expect(page.locator('main select:visible').first()).toBeVisible();
      const found = await page.locator('main select:visible').evaluateAll((selects) =>
        selects.map((select) => {
          const { appearance, backgroundImage } = getComputedStyle(select);
          return `${appearance}, ${backgroundImage === 'none' ? 'no arrow' : 'our arrow'}`;
        }),
      );
      expect(found.length).toBeGreaterThan(0);
      for (const style of found) styles.add(style);
    }
    expect([...styles]).toEqual(['none, our arrow']);
  },
);

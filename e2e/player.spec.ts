// Tests of the player of Watch: playing, stepping, seeking and keys, and the tooltips and highlights under the pointer.

import type { Page } from '@playwright/test';
import { turningClock } from './at-once.ts';
import { expect, FORMATS, scheduled, type SparseScope, test } from './fixtures.ts';

test.beforeEach(async ({ app, page }) => {
  // The clock runs at normal speed until a test advances it.
  await page.clock.install();
  await app.open();
});

test(
  'the player plays and pauses',
  scheduled(
    'one of two ways to play',
    'src/state/player.test.ts, src/kit/stage/PlayerControls.test.tsx, and Watch how in e2e/start.spec.ts, which plays',
  ),
  async ({ app, page }) => {
    await page.getByRole('combobox', { name: 'speed' }).selectOption('4×');
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await app.button('Play').click();
    await turningClock(page, 100, () => app.step()).toBeGreaterThan(2);
    await app.button('Pause').click();
    await expect(app.button('Play')).toBeVisible();
    const pausedStep = await app.step();
    // Enough time to go on, if it were not paused.
    await page.clock.runFor(2_000);
    await app.expectStep(pausedStep);
  },
);

test(
  'every chapter can be reached by its name',
  scheduled('one page load for each button', 'src/kit/stage/PlayerControls.test.tsx: goes to a chapter by its name'),
  async ({ app, page }) => {
    for (const title of ['Pack', 'Multiply']) {
      const chapter = page.getByRole('region', { name: 'Player' }).getByRole('button', { name: title, exact: true });
      await chapter.click();
      await expect(chapter).toHaveAttribute('aria-current', 'step');
      await expect(app.narration).not.toBeEmpty();
    }
  },
);

test(
  'the player’s keys do nothing while the user types',
  scheduled('one more page load', 'src/kit/stage/PlayerControls.test.tsx: do nothing while the user types'),
  async ({ app, page }) => {
    await app.oneStep();
    await page.keyboard.press('ControlOrMeta+k');
    const search = page.getByRole('combobox', { name: 'Find anything' });
    await expect(search).toBeFocused();
    await page.keyboard.type('svg ');
    await page.keyboard.press('Home');
    await expect(search).toHaveValue('svg ');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await app.expectStep(1);
  },
);

test(
  'every format has a different story',
  scheduled('ten stories are loaded', 'src/formats/contract/story.test.ts, and e2e/browsers.spec.ts plays one'),
  async ({ app }) => {
    for (const name of FORMATS) {
      await app.chooseFormat(name);
      await app.expectFormat(name);
      await app.ready();
      await app.everyStep();
      await app.expectStep(0);
      await app.page.keyboard.press('End');
      await app.expectStep(await app.stepCount());
      await expect(app.narration).not.toBeEmpty();
    }
  },
);

type Box = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

/** The bounding box of the picture after five steps. The picture has its cells at the top and its bytes at the bottom. */
async function pictureAfterFiveSteps(app: SparseScope): Promise<Box> {
  await app.page.emulateMedia({ reducedMotion: 'reduce' });
  await app.fontsLoaded();
  for (let i = 1; i <= 5; i++) {
    await app.oneStep();
    await app.expectStep(i);
  }
  const box = await app.stage.locator('canvas').first().boundingBox();
  if (!box) throw new Error('the stage has no box');
  return box;
}

/** Moves the pointer at the height `y` from left to right until the tooltip, which appears after a moment, matches. */
async function pointAt(page: Page, box: Box, y: number, tooltipText: RegExp): Promise<void> {
  const tooltip = page.locator('.tooltip');
  await expect(async () => {
    for (let x = 8; x < box.width; x += 6) {
      await page.mouse.move(box.x + x, y);
      if ((await tooltip.isVisible()) && tooltipText.test((await tooltip.textContent()) ?? '')) return;
    }
    throw new Error(`nothing that matches ${tooltipText} was found at ${y}`);
  }).toPass();
}

test('the player steps, seeks and follows keys; cells and bytes under the pointer are named', async ({ app, page }) => {
  await test.step('the buttons go forward and back by groups of steps, with a different sentence at each stop', async () => {
    const firstNarration = await app.narration.textContent();
    await app.button('Next step').click();
    await expect.poll(() => app.step()).toBeGreaterThan(1);
    const stop = await app.step();
    await expect(app.narration).not.toHaveText(firstNarration ?? '');
    await app.button('Next step').click();
    await expect.poll(() => app.step()).toBeGreaterThan(stop + 1);
    await app.button('Previous step').click();
    await app.expectStep(stop);
    await app.button('Previous step').click();
    await app.expectStep(0);
    await expect(app.narration).toHaveText(firstNarration ?? '');
  });
  await test.step('a press on the slider goes to this step', async () => {
    const box = await app.slider.boundingBox();
    if (!box) throw new Error('the slider has no box');
    await app.slider.click({ position: { x: box.width * 0.6, y: box.height / 2 } });
    await expect.poll(() => app.step()).toBeGreaterThan(0);
    const soughtStep = await app.step();
    expect(soughtStep).toBeLessThan(await app.stepCount());
    await app.slider.click({ position: { x: box.width * 0.3, y: box.height / 2 } });
    await expect.poll(() => app.step()).toBeLessThan(soughtStep);
  });
  await test.step('keys: arrows go by groups, with Shift by one step, Home and End go to the ends, Space plays', async () => {
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await app.expectStep(2);
    await page.keyboard.press('Shift+ArrowLeft');
    await app.expectStep(1);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => app.step()).toBeGreaterThan(2);
    await page.keyboard.press('ArrowLeft');
    await app.expectStep(0);
    await page.keyboard.press('End');
    await app.expectStep(await app.stepCount());
    await page.keyboard.press('Home');
    await app.expectStep(0);
    // The clock stops here: on a slow machine the story would otherwise end before the next check.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.keyboard.press('Space');
    await expect(app.button('Pause')).toBeVisible();
    await page.keyboard.press('Space');
    await expect(app.button('Play')).toBeVisible();
  });
  await test.step('a tooltip names the cell or byte under the pointer', async () => {
    await page.keyboard.press('Home');
    await page.clock.resume();
    const box = await pictureAfterFiveSteps(app);
    await pointAt(page, box, box.y + 60, /^row 464, column \d+: -?\d/);
    await page.mouse.move(box.x + box.width / 2, 4);
    await expect(page.locator('.tooltip')).toBeHidden();
    await pointAt(page, box, box.y + box.height - 16, /byte/);
  });
});

test(
  'pointing at a cell highlights its slot, bits and bytes, and pointing at a byte highlights its cell',
  scheduled(
    'compares pixels of many pictures',
    'src/render/pointed-mark.test.ts and test/golden/stories.test.ts for what belongs together, and the tooltip of cells and bytes in e2e/player.spec.ts',
  ),
  async ({ app, page }) => {
    const box = await pictureAfterFiveSteps(app);
    const matrix = { ...box, height: box.height * 0.3 };
    const memory = { ...box, y: box.y + box.height * 0.85, height: box.height * 0.15 };
    /** A screenshot, taken once two in succession are equal. */
    const stableScreenshot = async (clip: Box): Promise<Buffer> => {
      let last = await page.screenshot({ clip });
      await expect(async () => {
        const before = last;
        last = await page.screenshot({ clip });
        expect(last.equals(before)).toBe(true);
      }).toPass();
      return last;
    };
    const memoryBefore = await stableScreenshot(memory);
    const matrixBefore = await stableScreenshot(matrix);
    await pointAt(page, box, box.y + 60, /^row 464, column \d+: -?\d/);
    await expect.poll(async () => (await page.screenshot({ clip: memory })).equals(memoryBefore)).toBe(false);
    await page.mouse.move(box.x + box.width / 2, 4);
    await expect(page.locator('.tooltip')).toBeHidden();
    await expect.poll(async () => (await page.screenshot({ clip: matrix })).equals(matrixBefore)).toBe(true);
    await pointAt(page, box, box.y + box.height - 16, /byte/);
    await expect.poll(async () => (await page.screenshot({ clip: matrix })).equals(matrixBefore)).toBe(false);
  },
);

test(
  'the player shows the same steps without animation if reduced motion is requested',
  scheduled('two page loads', 'src/state/player.test.ts: takes the same steps with reduced motion'),
  async ({ app, page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await app.open();
    const count = await app.stepCount();
    await app.oneStep();
    await app.expectStep(1);
    const canvas = app.stage.locator('canvas').first();
    await expect
      .poll(async () => {
        const screenshot = await canvas.screenshot();
        return screenshot.equals(await canvas.screenshot());
      })
      .toBe(true);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await app.open();
    await expect.poll(() => app.stepCount()).toBe(count);
  },
);

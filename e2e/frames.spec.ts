// A story by frames: playing, questions, every step, format B next to A, and phones.

import { turningClock } from './at-once.ts';
import { expect, scheduled, test } from './fixtures.ts';

/** MACKO's story on the rows for which its sentences are written. */
const MACKO_STORY = '#2/watch?src=example:digits-fc2-70&a=macko&b=csr&win=464,261,4,32';
const WITH_CSR_BESIDE = `${MACKO_STORY}&beside=1`;

test('a story plays by frames, waits at a question, can show every step, and shows format B next to A on request', async ({
  app,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await test.step('arrows go by frames, with Shift by chapters, and only the sentence is announced', async () => {
    await app.go(MACKO_STORY);
    await app.ready();
    await expect(page).not.toHaveURL(/frame=|moment=/);
    await expect(app.count).toHaveText('frame 1 of 11');
    const first = (await app.narration.textContent()) ?? '';
    await page.keyboard.press('ArrowRight');
    await expect(app.count).toHaveText('frame 2 of 11');
    await expect(app.narration).not.toHaveText(first);
    await app.addressWith('frame=column-numbers');
    await page.keyboard.press('Shift+ArrowRight');
    await expect(app.count).toHaveText('frame 3 of 11');
    await page.keyboard.press('End');
    await expect(app.count).toHaveText('frame 11 of 11');
    await expect(app.narration).toContainText(/^This matrix takes .* of the bytes of dense/);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Home');
    await expect(app.count).toHaveText('frame 1 of 11');
    await expect(app.narration).toHaveText(first);
    await expect(app.stage.locator('[aria-live]')).toHaveCount(1);
    await app.button('Frame 4, Store').click();
    await expect(app.count).toHaveText('frame 4 of 11');
    await app.addressWith('frame=first-weight');
    await app.button('Frame 8, All rows').click();
    await app.addressWith('frame=one-list');
    await page.reload();
    await app.ready();
    await expect(app.count).toHaveText('frame 8 of 11');
  });
  await test.step('a question waits for an answer and explains it; without an answer, the next press shows the right one', async () => {
    await app.go(MACKO_STORY);
    await app.ready();
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
    await expect(app.count).toHaveText('frame 6 of 11, a question');
    const answers = page.getByRole('region', { name: 'Answers' });
    await expect(answers.getByRole('button')).toHaveCount(4);
    await page.keyboard.press('1');
    await expect(answers).toContainText('16 numbers: 0 to 15');
    await expect(answers.getByRole('button', { name: 'Next' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(app.count).toHaveText('frame 7 of 11');
    await page.keyboard.press('ArrowLeft');
    await expect(app.count).toHaveText('frame 6 of 11, a question');
    await app.addressWith('frame=longest-skip');
    await page.reload();
    await app.ready();
    await expect(app.count).toHaveText('frame 6 of 11, a question');
    await expect(answers).not.toContainText('16 numbers');
    await page.keyboard.press('ArrowRight');
    await expect(answers).toContainText('16 numbers: 0 to 15');
    await page.keyboard.press('ArrowRight');
    await expect(app.count).toHaveText('frame 7 of 11');
    // The number in an older link does not count the question.
    await app.go(`${MACKO_STORY}&frame=6`);
    await app.ready();
    await expect(app.count).toHaveText('frame 7 of 11');
  });
  await test.step('E switches to every step and back, and the address contains the mode', async () => {
    await app.go(MACKO_STORY);
    await app.ready();
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
    await expect(app.count).toHaveText('frame 4 of 11');
    await page.keyboard.press('e');
    await expect(app.slider).toBeVisible();
    const step = await app.step();
    expect(step).toBeGreaterThan(0);
    await app.oneStep();
    await app.expectStep(step + 1);
    await app.addressWith(`moment=${step + 1}`);
    await page.reload();
    await app.ready();
    await app.expectStep(step + 1);
    await page.keyboard.press('e');
    await expect(app.count).toHaveText('frame 4 of 11');
    await expect(page).not.toHaveURL(/moment=/);
  });
  await test.step('B is next to A only on request, and then both go by frames from the first to the last', async () => {
    await app.go(MACKO_STORY);
    await app.ready();
    const besideSwitch = page.getByRole('switch', { name: 'with CSR' });
    await expect(besideSwitch).toHaveAttribute('aria-checked', 'false');
    await besideSwitch.click();
    await app.addressWith('beside=1');
    await expect(app.stage).toHaveAttribute('data-two', 'true');
    await expect(app.count).toHaveText(/^frame 1 of \d+$/);
    const count = Number(/\d+$/.exec((await app.count.textContent()) ?? '')?.[0]);
    expect(count).toBeGreaterThanOrEqual(3);
    expect(count).toBeLessThanOrEqual(10);
    await page.keyboard.press('End');
    await expect(app.count).toHaveText(`frame ${count} of ${count}`);
    await page.getByRole('switch', { name: 'with CSR' }).click();
    await expect(app.count).toHaveText('frame 1 of 11');
    await expect(page).not.toHaveURL(/beside/);
  });
});

test('six presses at once go six frames further', async ({ app, page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await app.open('#2/watch?src=example:planted-blocks&a=ec-csr&b=none&frame=take-out', { byFrames: true });
  await expect(app.count).toHaveText(/^frame 5 of/);
  await page.evaluate(() => {
    for (let i = 0; i < 6; i++) {
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowRight', code: 'ArrowRight', bubbles: true }),
      );
    }
  });
  await expect(app.count).toHaveText(/^frame 11 of/);
});

test(
  'a frame is animated until it rests, and playing waits at a question',
  scheduled(
    'the clock is turned through seven frames',
    'src/state/player.test.ts, and Watch how in e2e/start.spec.ts, which plays',
  ),
  async ({ app, page }) => {
    await page.clock.install();
    await app.open(MACKO_STORY, { byFrames: true });
    const speed = page.getByRole('combobox', { name: 'speed' });
    await expect(speed).toHaveCount(0);
    await app.button('Play').click();
    await expect(speed).toBeVisible();
    await turningClock(page, 1000, () => app.count.textContent()).toBe('frame 6 of 11, a question');
    await page.clock.runFor(5000);
    await expect(app.count).toHaveText('frame 6 of 11, a question');
    await expect(app.button('Pause')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await turningClock(page, 1000, () => app.count.textContent()).toBe('frame 8 of 11');
    await app.button('Pause').click();
    const position = (await app.count.textContent()) ?? '';
    await page.clock.runFor(5000);
    await expect(app.count).toHaveText(position);
  },
);

test('on a phone a large button or a swipe shows the next frame, and timeline marks are tall enough to tap', async ({
  app,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 390, height: 844 });
  await app.open(MACKO_STORY, { byFrames: true });
  // The format is the last word of the selection bar, so no comma follows it.
  await expect(app.selection).toHaveText(/in\s+MACKO$/, { useInnerText: true });
  const next = app.button('Next');
  const nextBox = await next.boundingBox();
  expect(nextBox?.height).toBeGreaterThanOrEqual(64);
  const timelineMark = await app.button('Frame 2, Why').boundingBox();
  expect(timelineMark?.height).toBeGreaterThanOrEqual(44);
  const first = (await app.narration.textContent()) ?? '';
  const header = page.getByRole('banner');
  await expect(header).toBeVisible();
  await next.click();
  await expect(app.narration).not.toHaveText(first);
  await app.addressWith('frame=column-numbers');
  // The story fills the page: the picture has its full width, and the counter is visible above the button.
  await expect(header).toBeHidden();
  const picture = app.stage.locator('canvas').first();
  await expect.poll(async () => (await picture.boundingBox())?.height).toBeGreaterThanOrEqual(500);
  const [pictureBox, buttonBox] = [await picture.boundingBox(), await next.boundingBox()];
  expect((pictureBox?.y ?? 0) + (pictureBox?.height ?? 0)).toBeLessThanOrEqual(buttonBox?.y ?? 0);
  await app.button('close').click();
  await expect(header).toBeVisible();
  await app.button('full screen').click();
  await app.button('Frame 5, Store').click();
  await next.click();
  await expect(app.stage).toContainText('Question');
  await app.button('Show me').click();
  await expect(page.getByRole('region', { name: 'Answers' })).toContainText('16 numbers: 0 to 15');
  await next.click();
  await app.addressWith('frame=too-far');
  await app.button('Previous frame').click();
  await app.addressWith('frame=longest-skip');
  await app.button('Frame 11, So what').click();
  await app.button('Again').click();
  await expect(app.narration).toHaveText(first);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test(
  'two stories play their frames, with a rest at each',
  scheduled('a second timeline is played', 'src/state/player.test.ts and src/formats/contract/frame-steps.test.ts'),
  async ({ app, page }) => {
    await page.clock.install();
    await app.open(WITH_CSR_BESIDE, { byFrames: true });
    await app.button('Play').click();
    await turningClock(page, 1000, () => app.button('Play').isVisible()).toBe(true);
    await expect(app.count).toHaveText(/^frame (\d+) of \1$/);
  },
);

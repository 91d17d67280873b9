import type { Locator } from '@playwright/test';
import { expect, type SparseScope, scheduled, test } from './fixtures.ts';

/** MACKO next to CSR, on cells whose first row takes a padding. */
const TWO = '#2/watch?src=example:digits-fc2-70&a=macko&b=csr';

const slider = (app: SparseScope): Locator => app.page.getByRole('slider', { name: 'Key moment' });

const said = async (app: SparseScope): Promise<string> => (await slider(app).getAttribute('aria-valuetext')) ?? '';

const count = async (app: SparseScope): Promise<number> => Number(await slider(app).getAttribute('aria-valuemax'));

const expectMoment = (app: SparseScope, moment: number): Promise<void> =>
  expect(slider(app)).toHaveAttribute('aria-valuenow', String(moment));

const expectSaid = (app: SparseScope, words: RegExp): Promise<void> =>
  expect(slider(app)).toHaveAttribute('aria-valuetext', words);

test.beforeEach(async ({ app, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await app.open(TWO, { byMoments: true });
});

test('arrows go by key moments, with Shift by chapters, and a screen reader is told where', async ({ app, page }) => {
  // The story of B may arrive after that of A.
  await expect.poll(() => count(app)).toBeGreaterThanOrEqual(12);
  expect(await count(app)).toBeLessThanOrEqual(20);
  await expectSaid(app, /^before the first of \d+ key moments$/);
  await page.keyboard.press('ArrowRight');
  await expectMoment(app, 1);
  await expectSaid(app, /^first weight, key moment 1 of \d+$/);
  const names: string[] = [];
  for (let i = 2; i <= (await count(app)); i++) {
    await page.keyboard.press('ArrowRight');
    await expectSaid(app, new RegExp(`key moment ${i} of `));
    names.push(await said(app));
  }
  expect(names.filter((name) => name.includes('first difference'))).toHaveLength(1);
  expect(names.some((name) => name.startsWith('first padding'))).toBe(true);
  expect(names.some((name) => name.includes('MACKO alone'))).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await expectMoment(app, (await count(app)) - 1);
  await page.keyboard.press('Home');
  await expectMoment(app, 0);
  await page.keyboard.press('Shift+ArrowRight');
  await expect(page.getByRole('region', { name: 'Player' }).locator('button[aria-current]')).toHaveText('Pack');
  await page.keyboard.press('End');
  await expectMoment(app, await count(app));
});

test('E switches to every step and back, which the address keeps', async ({ app, page }) => {
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('e');
  await expect(app.slider).toBeVisible();
  await app.addressWith('x.every=1');
  const step = await app.step();
  await page.keyboard.press('ArrowRight');
  await app.expectStep(step + 1);
  await app.addressWith(`step=${step + 1}`);
  await page.reload();
  await app.ready();
  await app.expectStep(step + 1);
  await page.keyboard.press('e');
  await expect(slider(app)).toBeVisible();
  await expect.poll(() => page.url()).not.toContain('x.every');
});

test(
  'Enter on a fold opens its steps',
  scheduled(
    'one of two ways to every step',
    'src/kit/stage/Player.test.tsx: give way to every step by the switch, and at the first step of a fold by Enter',
  ),
  async ({ app, page }) => {
    await slider(app).focus();
    await expect.poll(() => count(app)).toBeGreaterThanOrEqual(12);
    for (let i = 1; i <= (await count(app)); i++) {
      await page.keyboard.press('ArrowRight');
      await expectMoment(app, i);
      if (/more/.test(await said(app))) break;
    }
    await expectSaid(app, /more/);
    await page.keyboard.press('Enter');
    await expect(app.slider).toBeVisible();
    await app.addressWith('x.every=1');
  },
);

test('a way of many steps is swept, and playing rests at each key moment', async ({ app, page }) => {
  await page.clock.install();
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await app.open(TWO, { byMoments: true });
  await page.getByRole('combobox', { name: 'speed' }).selectOption('4×');
  await app.button('Play').click();
  await expect.poll(async () => Number(await slider(app).getAttribute('aria-valuenow'))).toBeGreaterThan(2);
  await app.button('Pause').click();
  await expect(app.button('Play')).toBeVisible();
  const at = await said(app);
  // Frames in which it would have gone on.
  await page.clock.runFor(2_000);
  expect(await said(app)).toBe(at);
});

test(
  'the step of an address stays where it is between two key moments',
  scheduled('one more page load', 'src/state/player.test.ts and src/state/url.test.ts'),
  async ({ app }) => {
    await app.open(`${TWO}&step=20`, { byMoments: true });
    await expectSaid(app, /key moment \d+ of/);
    await app.everyStep();
    await app.expectStep(20);
  },
);

// The page Training in a browser: a run with a changed coefficient, its details sections, and its story.

import { setColorScheme, axeViolationsInThemes } from '../../../e2e/axe-violations.ts';
import { clickAsSoonAsVisible } from '../../../e2e/at-once.ts';
import { expect, scheduled, test } from '../../../e2e/fixtures.ts';

test.use({ reducedMotion: 'reduce', colorScheme: 'light' });

test('a run can be paused, continued with another L1 coefficient and cancelled, and its activations open in Watch', async ({
  page,
}) => {
  await page.goto('./#2/train');
  const main = page.getByRole('main');
  const headline = main.getByRole('heading', { level: 2 }).first();
  await expect(headline).toContainText('14.9 of 1\u202f024 neurons fire for an image');
  await expect(main.getByText(/^Training · recorded · drawn/)).toBeVisible();

  // 500 steps may take less time than a click of Playwright: Pause is clicked in the frame in which the first step is shown.
  const paused = clickAsSoonAsVisible(page, /^Pause$/, 'main h2', /^After \d+ of 500 steps/);
  await main.getByRole('button', { name: 'Train' }).click();
  await paused;
  await expect(headline).toContainText(/^After \d+ of 500 steps/);
  // A step that is being computed is still added before the run rests.
  await expect(main.getByRole('button', { name: 'Go on' })).toBeVisible();
  await expect(main.getByRole('img', { name: /^Neurons of 1\s024, after \d+ of 500 steps: / })).toBeVisible();

  const slider = main.getByRole('slider', { name: /^L1/ });
  await slider.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', '0');
  await main.getByRole('button', { name: 'Go on' }).click();
  await expect(page).toHaveURL(/x\.l1=0\.03_\d+-0/);

  await main.getByRole('button', { name: 'cancel' }).click();
  await expect(main.getByText('Cancelled.')).toBeVisible();
  await main.getByRole('button', { name: /^Open the activations of step \d+ in Watch$/ }).click();
  await expect(page).toHaveURL(/#2\/watch/);
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('gate-after-step-');
});

test(
  'axe finds nothing in Training, in both themes; its story goes frame by frame to its activations',
  scheduled(
    'axe takes seconds for each state of the page',
    'e2e/axe.spec.ts for the parts, src/formats/contract/frames.test.ts for frames',
  ),
  async ({ app, page }) => {
    await test.step('axe finds nothing in Training, in both themes, and its details sections show which of the paper’s observations it confirms', async () => {
      await app.go('#2/train');
      const main = page.getByRole('main');
      await expect(main.getByRole('img', { name: /^Loss of an image, after 500 of 500 steps/ })).toBeVisible();
      await main.getByRole('button', { name: 'details', exact: true }).press('Enter');
      await main.getByRole('button', { name: 'network and paper' }).press('Enter');
      await expect(main.getByText('not confirmed here').first()).toBeVisible();
      await main.getByRole('button', { name: 'a step at real size' }).press('Enter');
      const step = main.getByRole('table', { name: 'Parts of a training step' });
      await expect(step.getByRole('row')).toHaveText([/^part/, /^forward/, /^backward/, /^update/, /^step/]);
      await expect(main.getByText(/^recorded on .*H100/)).toBeVisible();
      await main.getByRole('radio', { name: '911' }).press('Space');
      await expect(page).toHaveURL(/x\.mean=911/);
      await expect(main.getByText(/^Run again in larger arrays, \d times/)).toBeVisible();
      const cancelled = clickAsSoonAsVisible(page, /^cancel$/);
      await main.getByRole('button', { name: 'Measure the step' }).press('Enter');
      await cancelled;
      await expect(main.getByText('Cancelled.')).toBeVisible();
      await expect(main.getByText('none seen twice')).toBeVisible();
      expect(await axeViolationsInThemes(page, {})).toEqual([]);
      await setColorScheme(page, 'light');
    });
    await test.step('the story goes frame by frame to the activations that it ends with, also full screen', async () => {
      await app.go('#2/train');
      const main = page.getByRole('main');
      await main.getByRole('button', { name: 'watch it as a story' }).click();
      await expect(page).toHaveURL(/x\.story=yes/);
      await expect(main.getByText('it fires if the sum is positive')).toBeVisible();
      await expect(main.getByText('frame 1 of 7')).toBeVisible();
      await page.keyboard.press('ArrowRight');
      await expect(main.getByText('plus 0.03 times the sum of all that fires')).toBeVisible();
      await page.keyboard.press('ArrowRight');
      await expect(main.getByText('How hard does L1 still pull it down?')).toBeVisible();
      await main.getByRole('button', { name: 'less and less' }).click();
      await expect(main.getByText('The slope of |h| is the same at every size')).toBeVisible();
      await main.getByRole('button', { name: 'Next', exact: true }).click();
      await expect(main.getByText('frame 4 of 7')).toBeVisible();
      expect(await axeViolationsInThemes(page, {})).toEqual([]);
      await setColorScheme(page, 'light');

      await main.getByRole('button', { name: 'present' }).click();
      const presented = page.getByRole('main', { name: 'Presentation' });
      await expect(presented.getByText('it fires if the sum is positive')).toBeVisible();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await expect(presented.getByRole('button', { name: 'as hard as before' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(presented).toHaveCount(0);

      await page.keyboard.press('End');
      await expect(main.getByText('34\u202f% of the multiply-adds')).toBeVisible();
      await main.getByRole('button', { name: /stores what 32 images fire$/ }).click();
      await expect(page).toHaveURL(/#2\/watch/);
      await expect(page.getByRole('region', { name: 'Selection' })).toContainText('gate-after-step-500');
      await page.getByRole('button', { name: /^Pruned to:/ }).click();
      await page.getByRole('link', { name: 'Where zeros come from' }).click();
      await expect(page).toHaveURL(/#2\/train/);
      await expect(main.getByText('frame 1 of 7')).toBeVisible();
    });
  },
);

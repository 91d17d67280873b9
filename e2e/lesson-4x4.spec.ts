import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { mtx } from './files.ts';
import { expect, scheduled, test } from './fixtures.ts';

// A teacher prepares a lesson on a matrix of 4 × 4: every press and every typed field is counted.

test.use({ details: '', reducedMotion: 'reduce' });

const OWN = mtx('my.mtx', 4, 4, [
  [0, 0, 1],
  [0, 2, 2],
  [1, 1, 3],
  [2, 0, 4],
  [2, 3, 5],
  [3, 2, 6],
]);

/** Counts presses and typed fields; each has to change the page, or its file or clipboard, which the caller expects. */
class Effort {
  count = 0;

  async press(target: Locator): Promise<void> {
    this.count++;
    await target.click();
  }

  async key(page: Page, key: string): Promise<void> {
    this.count++;
    await page.keyboard.press(key);
  }

  async type(target: Locator, text: string): Promise<void> {
    this.count++;
    await target.fill(text);
  }
}

/** The text of the clipboard. */
const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

test('a lesson on one’s own 4 × 4 takes at most 25 presses, and none is without effect', async ({
  app,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const effort = new Effort();
  await app.firstVisit();

  // One’s own matrix.
  effort.count++;
  await app.dropFile(OWN);
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('my.mtx');
  await expect(app.count).toHaveText(/^frame 1 of \d+$/);
  await expect(page.getByRole('region', { name: 'Player' })).toContainText(/about \d+ minutes?/);

  // The first frames of its story.
  for (const frame of [2, 3, 4]) {
    await effort.press(app.button('Next frame'));
    await expect(app.count).toHaveText(new RegExp(`^frame ${frame} of`));
  }

  // Another value of a cell, by keys.
  const picture = page.getByRole('application');
  await effort.press(app.button('Previous frame'));
  effort.count++;
  await picture.focus();
  await effort.key(page, 'ArrowDown');
  await expect(app.stage.locator('.watch-cell')).toContainText(/^row 0, column 0: /);
  await effort.key(page, 'ArrowRight');
  await expect(app.stage.locator('.watch-cell')).toContainText(/^row 0, column 1: empty/);
  await effort.key(page, 'Enter');
  await expect(page.getByText('edited, 4 × 4')).toBeVisible();

  // Two questions about it, which the dialog begins with.
  await effort.press(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Learn' }));
  await effort.press(page.getByRole('button', { name: /^For teachers/ }));
  const dialog = page.getByRole('dialog', { name: 'Make a question set' });
  await expect(dialog.getByLabel('one row of numbers per line')).toHaveValue(/^1 \S+ 2 0\n0 3 0 0\n4 0 0 5\n0 0 6 0$/);
  const wrong = dialog.getByRole('list', { name: 'Usual wrong answers' });
  await effort.type(dialog.getByLabel('find a question'), 'csr bytes');
  await expect(wrong).toContainText('if the positions of the values take no space: 48 bytes − 14 bytes = 34');
  await effort.press(dialog.getByRole('button', { name: 'Add and copy link' }));
  await expect(page.getByText('Question 1 added. Link copied.')).toBeVisible();
  await effort.type(dialog.getByLabel('find a question'), 'dense multiplications');
  await expect(wrong).toContainText('8 if rows and columns are added: 4 rows + 4 columns = 8');
  await effort.press(dialog.getByRole('button', { name: 'Add and copy link' }));
  await expect(page.getByText('Question 2 added. Link copied.')).toBeVisible();
  const set = await copied(page);
  await effort.key(page, 'Escape');
  await expect(dialog).toHaveCount(0);

  // The presentation fills the screen, and clicks go on.
  await effort.press(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Watch' }));
  await effort.press(app.button('Present'));
  const stage = page.getByRole('main', { name: 'Presentation' });
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  const at = stage.locator('.present-keys p');
  const before = await at.textContent();
  await effort.press(stage.locator('.present-stage'));
  await expect(at).not.toHaveText(before ?? '');
  await effort.key(page, 'Escape');
  await expect(stage).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.fullscreenElement === null)).toBe(true);

  // The link, and a picture.
  await effort.press(app.button('Share'));
  await expect.poll(() => copied(page)).toContain('#2/watch?');
  await effort.press(app.button('Export'));
  const download = page.waitForEvent('download');
  await effort.press(
    page.getByRole('dialog', { name: 'Embed and export' }).getByRole('button', { name: 'SVG', exact: true }),
  );
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^macko-(frame|question-after-frame)-\d+-[a-z-]+\.svg$/);
  const svg = readFileSync(await file.path(), 'utf8');
  expect(svg).toContain('MACKO · my.mtx');
  expect(svg).toContain('4 × 4 cells');
  expect(svg).toContain('#2/watch?');

  expect(effort.count).toBeLessThanOrEqual(25);

  // A student opens the set without the file, on the same cells.
  await page.goto('about:blank');
  await page.goto(set);
  const question = page.locator('[data-paragraph="1"]');
  await expect(question).toContainText('The matrix has 4 rows, 4 columns and 7 non-zeros.');
  await question.getByRole('textbox', { name: /^you/ }).fill('34');
  await question.getByRole('button', { name: 'Check' }).click();
  await expect(question.getByRole('status')).toContainText(
    'You may think that the positions of the values take no space: 48 bytes − 14 bytes = 34.',
  );
});

test(
  'a matrix about which a question cannot be asked is answered with the cells to change',
  scheduled('one more page load', 'src/lessons/question-search.test.ts, for every question'),
  async ({ page }) => {
    await page.goto('./#2/learn');
    await page.getByRole('button', { name: /^For teachers/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a question set' });
    await dialog.getByLabel('find a question').fill('csr row-start');
    await dialog.getByRole('radio', { name: 'my own' }).check({ force: true });
    const cells = dialog.getByLabel('one row of numbers per line');
    await cells.fill('1 0 0 2\n0 0 0 0\n0 0 0 0\n0 0 0 0');
    await expect(dialog.getByRole('alert')).toContainText('change cells so that every row after row 0 has a weight');
    await expect(dialog.getByRole('button', { name: 'Add and copy link' })).toBeDisabled();
    // The matrix stays while another question is chosen.
    await dialog.getByLabel('find a question').fill('csr row-of-entry');
    await expect(cells).toHaveValue(/^1 0 0 2\n/);
    await expect(dialog.getByRole('button', { name: 'Add and copy link' })).toBeEnabled();
    await dialog.getByLabel('find a question').fill('no such words');
    await expect(dialog.getByRole('status')).toContainText('No question contains these words.');
  },
);

test(
  'a presentation leaves questions out by its switch, says how long it takes, and hides its keys after three seconds',
  scheduled('one more page load', 'src/state/player.test.ts, and e2e/present.spec.ts for the keys'),
  async ({ app, page }) => {
    await page.clock.install();
    await app.open('#2/watch?src=example:digits-fc2-70&a=macko&b=none&frame=5', { byFrames: true });
    await page.keyboard.press('p');
    const stage = page.getByRole('main', { name: 'Presentation' });
    const count = stage.locator('.present-keys p');
    await expect(count).toHaveText('frame 5 of 11');
    await expect(stage).toContainText(/about \d+ minutes?/);
    const questions = stage.getByRole('switch', { name: /questions/ });
    await expect(questions).toHaveAttribute('aria-checked', 'true');
    await questions.click();
    await expect(count).toHaveText('frame 5 of 11');
    await stage.locator('.present-stage').click();
    await expect(count).toHaveText('frame 7 of 11');
    await page.keyboard.press('q');
    await page.keyboard.press('ArrowLeft');
    await expect(count).toHaveText(/^frame 6 of 11, a question/);
    await page.clock.runFor(3000);
    await expect(stage).toHaveAttribute('data-idle', 'true');
    await expect(stage.locator('.present-keys')).toHaveCSS('opacity', '0');
    await page.keyboard.press('b');
    await page.getByLabel(/^Blank: /).click();
    await expect(page.getByLabel(/^Blank: /)).toHaveCount(0);
    await expect(count).toHaveText(/^frame 6 of 11, a question/);
  },
);

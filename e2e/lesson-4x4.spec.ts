import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { cellsIn, expect, openInFreshBrowser, scheduled, test } from './fixtures.ts';

// A teacher prepares a lesson on a matrix of 4 × 4: every press and every typed field is counted.

test.use({ details: '', reducedMotion: 'reduce' });

/** As a teacher types it, and in the address of the page. */
const TYPED = '1 0 2 0; 0 3 0 0; 4 0 0 5; 0 0 6 0';
const TYPED_CELLS = 'cells:0:1;2:2,1:3,0:4;3:5,2:6';

/** Counts presses and typed fields. The caller checks that each has an effect on the page, a file or the clipboard. */
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

  /** A field counts once, however long its text is. */
  async type(target: Locator, text: string): Promise<void> {
    this.count++;
    await target.fill(text);
  }

  /** A press at a point of the picture, and a number that is typed there. */
  async typeAt(page: Page, { x, y }: Point, text: string): Promise<void> {
    this.count += 2;
    await page.mouse.click(x, y);
    await page.keyboard.type(text);
  }
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where the picture shows a cell, as a user sees it: looked for with the tooltip, without a press. */
async function pointOf(page: Page, cell: string): Promise<Point> {
  const box = await page.getByRole('application').boundingBox();
  if (!box) throw new Error('found no picture');
  for (let y = box.y + 10; y < box.y + 300; y += 12) {
    for (let x = box.x + 20; x < box.x + 600; x += 24) {
      await page.mouse.move(x, y);
      const text = await page
        .locator('.tooltip:not([hidden])')
        .textContent({ timeout: 20 })
        .catch(() => null);
      if (text?.startsWith(`${cell}:`)) return { x: x + 4, y: y + 4 };
    }
  }
  throw new Error(`found no ${cell}`);
}

/** The text of the clipboard. */
const clipboardText = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

test('preparing a lesson on a typed 4 × 4 takes at most 25 presses and typed fields, each with an effect, and students see its cells', async ({
  app,
  page,
  context,
  browser,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const effort = new Effort();
  await app.firstVisit();

  // Type a matrix.
  await effort.press(app.selection.getByRole('button', { name: /^Weights: / }));
  await effort.press(page.getByRole('dialog', { name: 'Weights' }).getByRole('button', { name: 'Type a matrix…' }));
  await effort.type(page.getByRole('textbox', { name: /The same as text/ }), TYPED);
  await effort.press(page.getByRole('button', { name: 'Open these 16 cells' }));
  await expect(app.selection).toContainText('4 × 4');
  await expect.poll(() => cellsIn(page)).toBe(TYPED_CELLS);
  await expect(app.count).toHaveText(/^frame 1 of \d+$/);
  await expect(page.getByRole('region', { name: 'Player' })).toContainText(/about \d+ minutes?/);

  // Watch the first frames of its story.
  for (const frame of [2, 3, 4]) {
    await effort.press(app.button('Next frame'));
    await expect(app.count).toHaveText(new RegExp(`^frame ${frame} of`));
  }

  // Another value of a cell: a press sets it, then its number is typed.
  await effort.typeAt(page, await pointOf(page, 'row 0, column 1'), '7');
  await expect(app.stage.locator('.watch-cell')).toContainText('row 0, column 1: 7, Enter sets it');
  await effort.key(page, 'Enter');
  const cells = TYPED_CELLS.replace('0:1;', '0:1;1:7;');
  await expect.poll(() => cellsIn(page)).toBe(cells);

  // Add two questions about the edited matrix, which the dialog starts with.
  await effort.press(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Learn' }));
  await effort.press(page.getByRole('button', { name: /^For teachers/ }));
  const dialog = page.getByRole('dialog', { name: 'Make a question set' });
  await expect(dialog.getByLabel('one row of numbers per line')).toHaveValue('1 7 2 0\n0 3 0 0\n4 0 0 5\n0 0 6 0');
  const wrongAnswers = dialog.getByRole('list', { name: 'Usual wrong answers' });
  await effort.type(dialog.getByLabel('find a question'), 'csr bytes');
  await expect(wrongAnswers).toContainText('if the positions of the values take no space: 48 bytes − 14 bytes = 34');
  await effort.press(dialog.getByRole('button', { name: 'Add and copy link' }));
  await expect(page.getByText('Question 1 added. Link copied.')).toBeVisible();
  await effort.type(dialog.getByLabel('find a question'), 'dense multiplications');
  await expect(wrongAnswers).toContainText('8 if rows and columns are added: 4 rows + 4 columns = 8');
  await effort.press(dialog.getByRole('button', { name: 'Add and copy link' }));
  await expect(page.getByText('Question 2 added. Link copied.')).toBeVisible();
  const setLink = await clipboardText(page);
  await effort.key(page, 'Escape');
  await expect(dialog).toHaveCount(0);

  // Present full screen; a click goes to the next frame.
  await effort.press(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Watch' }));
  await effort.press(app.button('Present'));
  const stage = page.getByRole('main', { name: 'Presentation' });
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  const position = stage.locator('.present-keys p');
  const positionBefore = await position.textContent();
  await effort.press(stage.locator('.present-stage'));
  await expect(position).not.toHaveText(positionBefore ?? '');
  await effort.key(page, 'Escape');
  await expect(stage).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.fullscreenElement === null)).toBe(true);

  // Copy the link, and save a picture.
  await effort.press(app.button('Share'));
  await expect(page.getByText('Link copied, with all 16 cells.')).toBeVisible();
  const link = await clipboardText(page);
  await effort.press(app.button('Export'));
  const download = page.waitForEvent('download');
  await effort.press(
    page.getByRole('dialog', { name: 'Embed and export' }).getByRole('button', { name: 'SVG', exact: true }),
  );
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^macko-(frame|question-after-frame)-\d+-[a-z-]+\.svg$/);
  const svg = readFileSync(await file.path(), 'utf8');
  expect(svg).toContain('MACKO · your matrix');
  expect(svg).toContain('4 × 4 cells');
  expect(svg).toContain('#2/watch?');

  expect(effort.count).toBeLessThanOrEqual(25);

  // Students, on other computers.
  const lesson = await openInFreshBrowser(browser, link);
  await expect(lesson.page.getByRole('region', { name: 'Selection' })).toContainText('4 × 4');
  expect(await cellsIn(lesson.page)).toBe(cells);
  await expect(lesson.page.getByRole('alert')).toHaveCount(0);
  await lesson.close();

  const student = await openInFreshBrowser(browser, setLink);
  const question = student.page.locator('[data-paragraph="1"]');
  await expect(question).toContainText('The matrix has 4 rows, 4 columns and 7 non-zeros.');
  await question.getByRole('textbox', { name: /^you/ }).fill('34');
  await question.getByRole('button', { name: 'Check' }).click();
  await expect(question.getByRole('status')).toContainText(
    'You may think that the positions of the values take no space: 48 bytes − 14 bytes = 34.',
  );
  await student.page.getByRole('button', { name: 'open in Watch' }).click();
  await expect.poll(() => cellsIn(student.page)).toBe(cells);
  await student.close();
});

test(
  'if a question cannot be asked about a matrix, a message says which cells to change',
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
  'a presentation can skip questions, shows how long it takes, and hides its keys after three seconds',
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

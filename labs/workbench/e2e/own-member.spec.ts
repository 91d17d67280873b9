import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, RUNS_ALL, scheduled, test } from '../../../e2e/fixtures.ts';
import { axeViolations } from '../../../e2e/axe-violations.ts';
import { deflatedText } from '../library/deflated-text.ts';

// Custom formats on the pages that show any format.

/** What these tests put into every document fails in the frames of the sandbox, which have no storage. */
test.use({ bringsFaults: true });

const COO = readFileSync(resolve(import.meta.dirname, '../own/starters/coo.js'), 'utf8');
const SOURCE = 'src=generated:uniform&shape=64x64&density=0.3&seed=1';

test('a link brings a format, which runs once the user agrees, and is then on every page', async ({ app, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`./#2/watch?${SOURCE}&a=mine:pairs&b=macko&own-format.a=${await deflatedText(COO)}`);
  const question = page.getByRole('dialog', { name: 'Run COO?' });
  await expect(question).toContainText('Its code has not run.');
  await expect(page.locator('iframe')).toHaveCount(0);
  await question.getByRole('button', { name: 'Run COO' }).click();
  await expect(question).toHaveCount(0);

  // Watch: both stories, and the bytes of the whole matrix in both.
  await expect(app.selection.getByRole('button', { name: 'A: COO' })).toBeVisible();
  await app.ready();
  await expect(app.stage).toContainText('COO');
  await page.keyboard.press('End');
  await expect(app.narration).not.toBeEmpty();
  await expect(page).toHaveURL(/a=mine(:|%3A)pairs/);
  await expect(page).toHaveURL(/own-format\.a=/);

  // A short run checks only Watch, since all pages read the format from the same list.
  if (!RUNS_ALL) return;

  // Compare: COO has six bytes for each of the 1,226 non-zeros.
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  // 7,356 bytes are 90 % of the 8,192 bytes of dense.
  await expect(page.getByRole('row', { name: /COO/ }).getByRole('cell', { name: '90', exact: true })).toBeVisible();

  // Measure: the custom format has no kernel; the other format is timed.
  await page.getByRole('link', { name: 'Measure', exact: true }).click();
  await page.getByRole('main').getByRole('button', { name: 'details', exact: true }).click();
  for (const name of ['runs and files', 'settings and sweeps']) await page.getByRole('button', { name }).click();
  // Each round on a software GPU is slow.
  await page.getByRole('textbox', { name: 'rounds' }).fill('2');
  await app.runButton.click();
  await expect(app.runs).toHaveCount(1, { timeout: 120_000 });
  await expect(app.runButton).toHaveAttribute('aria-disabled', 'false');
  await expect(page.getByText('no kernel here')).toBeVisible();

  // Going back does not ask again. An unknown name is reported, and the rest of its link is opened.
  await page.goBack();
  await expect(question).toHaveCount(0);
  await page.goto(`./#2/watch?${SOURCE}&a=mine:nobody&b=csr`);
  await expect(page.getByText('this browser has no format nobody')).toBeVisible();
  await expect(app.selection.getByRole('button', { name: 'B: CSR' })).toBeVisible();
});

test(
  'axe finds nothing in the question, nor in Watch with both stories',
  scheduled('axe takes seconds for each state of the page', 'e2e/axe.spec.ts, which has dialogs and Watch'),
  async ({ app, page }) => {
    await page.goto(`./#2/watch?${SOURCE}&a=mine:pairs&b=macko&own-format.a=${await deflatedText(COO)}`);
    const question = page.getByRole('dialog', { name: 'Run COO?' });
    await expect(question).toContainText('Its code has not run.');
    expect(await axeViolations(page, { within: 'dialog' })).toEqual([]);
    await question.getByRole('button', { name: 'Run COO' }).click();
    await app.ready();
    await expect(app.stage).toContainText('COO');
    expect(await axeViolations(page)).toEqual([]);
  },
);

test(
  'a saved format opens from Code in Watch, and is there after a reload',
  scheduled(
    'the same pages by another way',
    'labs/workbench/provider/format-library.test.ts and labs/workbench/provider/open-linked-formats.test.tsx',
  ),
  async ({ app, page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('./#2/code/own');
    await page.getByRole('button', { name: /^Start from run lengths: / }).click();
    await page.getByRole('tab', { name: 'Bytes' }).click();
    await page.locator('.put-on-show').getByRole('button', { name: 'Watch' }).click();
    await expect(page).toHaveURL(/#2\/watch\?.*a=mine/);
    await app.ready();
    expect(await axeViolations(page)).toEqual([]);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.reload();
    await app.ready();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(app.stage).toContainText('run lengths');
  },
);

test(
  'an embedded page shows a format without running it, and runs it on request',
  scheduled(
    'the same question on another page',
    'labs/workbench/provider/open-linked-formats.test.tsx and e2e/embed.spec.ts',
  ),
  async ({ page }) => {
    await page.goto(`./#2/embed?${SOURCE}&a=mine:pairs&own-format.a=${await deflatedText(COO)}`);
    const question = page.getByRole('dialog', { name: 'Run COO?' });
    await expect(question).toBeVisible();
    await expect(page.locator('iframe')).toHaveCount(0);
    await question.getByRole('button', { name: 'Run COO' }).click();
    await expect(page.getByText('COO').first()).toBeVisible();
    await expect(page.getByRole('button', { name: /^Frame 1, / })).toBeVisible();
  },
);

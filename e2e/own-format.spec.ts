import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { objections } from './objections.ts';

/** A format of one's own, as somebody writes one for the first time. */

/** What these tests put into every document fails in the frames of the sandbox, which have no storage. */
test.use({ bringsFaults: true });

const laws = (page: Page): Locator => page.getByRole('region', { name: 'Laws', exact: true });
const law = (page: Page, name: string): Locator => laws(page).getByRole('listitem').filter({ hasText: name });
const editor = (page: Page): Locator => page.getByRole('textbox', { name: 'The module' });

/** Waits until all laws have been tried, and says which do not hold. */
async function expectLaws(page: Page, ...broken: readonly string[]): Promise<void> {
  await expect(laws(page)).toContainText(/79 matrices in \d/, { timeout: 30_000 });
  await expect(laws(page).getByText('broken: ')).toHaveCount(broken.length, { timeout: 30_000 });
  for (const name of broken) await expect(law(page, name)).toContainText('broken: ');
}

/** Puts a text into the editor, as somebody who pastes it. */
async function paste(page: Page, text: string): Promise<void> {
  await editor(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await editor(page).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** CSR with gaps in place of columns; `first`: what is written for a gap. */
function deltas(gap: string): string {
  return `export const title = 'delta bytes';
export const arrays = { values: 'f16 values', gaps: 'u16 indices', starts: 'u32 metadata' };

export function encode(A, { values, gaps, starts }, params, tell) {
  for (const row of A) {
    starts.push(values.length);
    let next = 0;
    for (let i = 0; i < row.length; i++) {
      values.push(row.values[i]);
      gaps.push(${gap});
      tell?.('A gap.', row, row.columns[i]);
      next = row.columns[i] + 1;
    }
  }
  starts.push(values.length);
}

export function decode({ values, gaps, starts }, { rows }, put) {
  for (let r = 0; r < rows; r++) {
    let column = -1;
    for (let i = starts[r]; i < starts[r + 1]; i++) put(r, (column += gaps[i] + 1), values[i]);
  }
}
`;
}

async function expectNoObjection(page: Page): Promise<void> {
  expect(await objections(page, { within: '.own-page' })).toEqual([]);
}

test('from CSR to delta bytes by mouse, with a mistake on the way', async ({ app, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await app.open();
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByRole('button', { name: 'formats', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'A format is two functions' })).toBeVisible();
  await expectNoObjection(page);
  await page.getByRole('button', { name: /^Start from CSR: / }).click();
  await expectLaws(page);
  await expect(page.getByRole('region', { name: 'Story' })).toContainText('Row 0 starts at entry 0.');
  await expect(page.getByRole('row', { name: /^CSR/ })).toHaveCount(2);

  // A gap is counted from the column before, which makes it one too many.
  await paste(page, deltas('row.columns[i] - next + 1'));
  await expect(page.getByRole('heading', { level: 2, name: 'delta bytes' })).toBeVisible();
  await expectLaws(page, 'Gives the matrix back', 'No cell twice, none outside');
  await expect(law(page, 'Gives the matrix back')).toContainText(/smallest that breaks it, \d × \d, found in \d+ tr/);
  await expect(page.getByText(/^On a \d × \d: From gaps\[0\] = 1 decode makes/)).toBeVisible();
  await expectNoObjection(page);
  await law(page, 'Gives the matrix back').getByRole('button', { name: 'show it on the stage' }).click();
  await expect(page.getByRole('region', { name: 'Story' })).toContainText('a matrix of its own');
  await page.getByRole('button', { name: 'back to the window' }).click();

  await paste(page, deltas('row.columns[i] - next'));
  await expectLaws(page);
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByRole('region', { name: 'Versions' })).toContainText(/1all laws, [\d\s]+B/);
  // What the window's story says of the first step.
  await page.getByRole('button', { name: 'Next step' }).click();
  await expect(page.getByRole('region', { name: 'Story' })).toContainText('A gap. Stored: ');

  // It is there after a reload, and its link shows it unrun.
  await page.reload();
  await expectLaws(page);
  await expect(page.getByRole('heading', { level: 2, name: 'delta bytes' })).toBeVisible();
});

test('the same at 390 px by keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('./#2/code/own');
  const start = page.getByRole('button', { name: /^Start from CSR: / });
  await start.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Story' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Code' })).toBeFocused();
  await paste(page, deltas('row.columns[i] - next + 1'));
  await expect(page.getByRole('tab', { name: 'Laws 2' })).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Code' }).focus();
  await page.keyboard.press('ArrowRight');
  await expectLaws(page, 'Gives the matrix back', 'No cell twice, none outside');
  await expectNoObjection(page);
  await page.keyboard.press('ArrowLeft');
  await paste(page, deltas('row.columns[i] - next'));
  await expect(page.getByRole('tab', { name: 'Laws', exact: true })).toBeVisible({ timeout: 30_000 });
  await page.getByRole('tab', { name: 'Laws', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expectLaws(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('a link does not run its module until somebody says so', async ({ page, context }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('./#2/code/own');
  await page.getByRole('button', { name: /^Start from COO: / }).click();
  await expectLaws(page);
  await page.getByRole('button', { name: 'link', exact: true }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('own-format=');

  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByText('Its code has not run.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'COO' })).toBeVisible();
  await expect(page.locator('iframe')).toHaveCount(0);
  await expectNoObjection(page);
  await page.getByRole('button', { name: 'Run it here' }).click();
  await expectLaws(page);
  await expect(page.locator('iframe')).toHaveCount(2);
});

test('an endless loop is asked about, and ended; a syntax error is at its line', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('./#2/code/own');
  await page.getByRole('button', { name: /^Start from CSR: / }).click();
  await expectLaws(page);
  const looping = deltas('row.columns[i] - next').replace('let next = 0;', 'let next = 0; for (;;);');
  await paste(page, looping);
  await expect(page.getByText('encode has not ended after 2 s.')).toBeVisible({ timeout: 15_000 });
  const before = Date.now();
  await page.getByRole('button', { name: 'End it' }).click();
  await expect(page.getByText(/encode was ended after \d+\.\d s\. The text is as you left it\./)).toBeVisible();
  console.log(`ended, and said so, within ${Date.now() - before} ms`);
  await expect(editor(page)).toContainText('for (;;);');

  await paste(page, deltas('row.columns[i] - - ) next'));
  await expect(page.getByText(/^Line 10: SyntaxError/)).toBeVisible({ timeout: 30_000 });
  await paste(page, deltas('row.columns[i] - next'));
  await expectLaws(page);
});

import type { Locator, Page } from '@playwright/test';
import { expect, scheduled, test } from '../../../e2e/fixtures.ts';
import { axeViolations } from '../../../e2e/axe-violations.ts';
import { deflatedText } from '../library/deflated-text.ts';

// A user writes a custom format for the first time: from a starter to a format that satisfies all laws.

/** The script that the fixtures add to every document fails in the frames of the sandbox, which have no storage. */
test.use({ bringsFaults: true });

const laws = (page: Page): Locator => page.getByRole('region', { name: 'Laws', exact: true });
const law = (page: Page, name: string): Locator => laws(page).getByRole('listitem').filter({ hasText: name });
const editor = (page: Page): Locator => page.getByRole('textbox', { name: 'The module' });

/** Waits until all laws have been tested, and checks that exactly the laws named `broken` are broken. */
async function expectLaws(page: Page, ...broken: readonly string[]): Promise<void> {
  await expect(laws(page)).toContainText(/79 matrices in \d/, { timeout: 120_000 });
  await expect(laws(page).getByText('broken: ')).toHaveCount(broken.length);
  for (const name of broken) await expect(law(page, name)).toContainText('broken: ');
}

/** Puts a text into the editor, like a user who pastes it. */
async function paste(page: Page, text: string): Promise<void> {
  await editor(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await editor(page).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Returns the text of a module: CSR with gaps instead of columns; `gap`: the expression that computes a gap. */
function deltaModule(gap: string): string {
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

async function expectAccessible(page: Page): Promise<void> {
  expect(await axeViolations(page, { within: '.own-page' })).toEqual([]);
}

/** Presses Tab, or Shift + Tab, until `target` has the focus. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  for (let i = 0; i < 150; i++) {
    const focus = await target.evaluate((element) => {
      let active = document.activeElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
      return active === element ? 'there' : active?.classList.contains('cm-content') ? 'in the editor' : 'elsewhere';
    });
    if (focus === 'there') return;
    // Tab leaves the editor for two seconds after Escape.
    if (focus === 'in the editor') await page.keyboard.press('Escape');
    await page.keyboard.press(key);
  }
  throw new Error(`150 times ${key} did not lead to ${String(target)}`);
}

/** Moves the focus to `target` by keyboard, and presses Enter. */
async function enter(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await tabTo(page, target, key);
  await page.keyboard.press('Enter');
}

/** Replaces a text, which the editor's search finds, by typing. */
async function retype(page: Page, query: string, typed: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(query);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.type(typed);
  // Closes the list of completions, if one is open.
  await page.keyboard.press('ArrowRight');
}

for (const width of [1440, 390]) {
  test(
    `from CSR to delta bytes with a mistake on the way, by keyboard at ${width} px`,
    scheduled(
      'a page of work at the keyboard, with all laws four times',
      'labs/workbench/own/laws.test.ts, labs/workbench/page/own/live/live-module.test.ts, and the format of a link in labs/workbench/e2e/own-member.spec.ts',
    ),
    async ({ page }) => {
      test.setTimeout(600_000);
      const isWide = width === 1440;
      const story = page.getByRole('region', { name: 'Story' });
      /** Goes to a part of the page, which is a tab on a narrow page. */
      const show = async (name: 'Story' | 'Code' | 'Laws' | 'Bytes'): Promise<void> => {
        if (isWide) return;
        const tab = page.getByRole('tab', { name: new RegExp(`^${name}`) });
        const chosen = page.getByRole('tab', { selected: true });
        if (!(await chosen.evaluate((element) => element === document.activeElement)))
          await tabTo(page, chosen, 'Shift+Tab');
        for (let i = 0; i < 4 && (await tab.getAttribute('aria-selected')) !== 'true'; i++) {
          await page.keyboard.press('ArrowRight');
        }
        await expect(tab).toBeFocused();
      };
      await page.setViewportSize({ width, height: isWide ? 900 : 844 });
      await page.goto('./#2/code/own');
      await expect(page.getByRole('heading', { name: 'Two functions' })).toBeVisible();
      await expectAccessible(page);
      await tabTo(page, page.getByRole('button', { name: /^Start from COO: / }));
      for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('button', { name: /^Start from dictionary of 16: / })).toBeInViewport();
      for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowUp');
      await expect(page.getByRole('button', { name: /^Start from CSR: / })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(story).toContainText('Row 0 starts at entry 0.');
      await show('Bytes');
      await expect(page.getByRole('row', { name: /^CSR/ })).toHaveCount(2);
      await show('Laws');
      await expectLaws(page);

      // Columns become gaps. A gap is counted from the column before, which makes it one too many.
      await show('Code');
      await tabTo(page, editor(page));
      await retype(page, "'CSR'", "'delta bytes'");
      await retype(page, "columns: 'u16", "gaps: 'u16");
      await retype(page, '{ values, columns, starts }, size', '{ values, gaps, starts }, size');
      await retype(
        page,
        'columns.push(row.columns[i]);',
        'gaps.push(row.columns[i] - next + 1);\nnext = row.columns[i] + 1;',
      );
      await retype(page, 'for (let i = 0; i', 'let next = 0;\nfor (let i = 0; i');
      await retype(page, '{ values, columns, starts }, { rows }', '{ values, gaps, starts }, { rows }');
      await retype(page, 'let i = starts[r];', 'let i = starts[r], column = -1;');
      await retype(page, 'columns[i], values[i]', '(column += gaps[i] + 1), values[i]');
      await expect(page.getByRole('heading', { level: 2, name: 'delta bytes' })).toBeVisible();
      // The editor has a message at the line that stored the wrong gap.
      await expect(page.getByText(/^On a \d × \d: From gaps\[0\] = \d+ decode makes/).first()).toBeVisible();
      await show('Laws');
      await expectLaws(page, 'Decodes to the same matrix', 'No cell twice, none outside');
      await expect(law(page, 'Decodes to the same matrix')).toContainText(/smallest that breaks it, \d × \d/);
      await expectAccessible(page);
      await enter(page, law(page, 'Decodes to the same matrix').getByRole('button', { name: 'show it' }));
      await expect(story).toContainText('not the open matrix');
      await enter(page, page.getByRole('button', { name: 'back to the window' }), isWide ? 'Shift+Tab' : 'Tab');
      await expect(story).not.toContainText('not the open matrix');

      await show('Code');
      await tabTo(page, editor(page), isWide ? 'Shift+Tab' : 'Tab');
      await retype(page, ' - next + 1);', ' - next);');
      await show('Laws');
      await expectLaws(page);
      await show('Code');
      await tabTo(page, editor(page), isWide ? 'Shift+Tab' : 'Tab');
      await page.keyboard.press('ControlOrMeta+s');
      await show('Laws');
      await expect(page.getByRole('region', { name: 'Versions' })).toContainText(/1all laws/);
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

      // It is there after a reload, and so is what was typed last.
      await show('Code');
      await tabTo(page, editor(page), isWide ? 'Shift+Tab' : 'Tab');
      await page.keyboard.press('ControlOrMeta+Home');
      await page.keyboard.type('// Mine.\n');
      await expect(editor(page)).toContainText('// Mine.');
      await page.reload();
      await expect(page.getByRole('heading', { level: 2, name: 'delta bytes' })).toBeVisible();
      await show('Code');
      await expect(editor(page)).toContainText('// Mine.');
      await show('Laws');
      await expectLaws(page);
    },
  );
}

test.describe('at the first visit, with all details sections closed', () => {
  test.use({ details: '' });

  test(
    'a new user reaches the editor of a custom format with three clicks',
    scheduled(
      'one more page load',
      'labs/workbench/page/own/live/live-module.test.ts, and labs/workbench/e2e/drafts.spec.ts, which begins in Code',
    ),
    async ({ app, page }) => {
      await app.firstVisit();
      await app.link('Code').click();
      await page.getByRole('button', { name: 'formats', exact: true }).click();
      await page.getByRole('main').getByRole('button', { name: /delta/i }).first().click();
      await expect(editor(page)).toBeVisible();
    },
  );
});

test(
  'a link does not run its module until the user agrees',
  scheduled(
    'one of two pages that ask',
    'labs/workbench/e2e/own-member.spec.ts, a link brings a format, which runs once the user agrees',
  ),
  async ({ page, context }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('./#2/code/own');
    await page.getByRole('button', { name: /^Start from COO: / }).click();
    await expectLaws(page);
    await page.getByRole('button', { name: 'link', exact: true }).click();
    await expect(page.getByText(/^Link copied/)).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toContain('own-format=');

    await page.goto('about:blank');
    await page.goto(link);
    await expect(page.getByText('Its code has not run.')).toBeVisible();
    await expect(page.getByRole('heading', { level: 2, name: 'COO' })).toBeVisible();
    await expect(page.locator('iframe')).toHaveCount(0);
    await page.getByRole('button', { name: 'Run it here' }).click();
    await expectLaws(page);
    await expect(page.locator('iframe')).toHaveCount(2);
  },
);

test(
  'axe finds nothing in a module that has not run',
  scheduled(
    'axe takes seconds for each state of the page',
    'e2e/axe.spec.ts, on other pages, which are made of the same parts',
  ),
  async ({ page }) => {
    await page.goto(`./#2/code/own?own-format=${await deflatedText(deltaModule('row.columns[i] - next'))}`);
    await expect(page.getByText('Its code has not run.')).toBeVisible();
    await expectAccessible(page);
  },
);

test(
  'the page asks about an endless loop, and ends it; a syntax error is at its line',
  scheduled(
    'all laws twice',
    'labs/workbench/page/own/live/live-module.test.ts, asks the user about a slow module, waits, and ends it, and finds the line of a syntax error; labs/workbench/own/laws.test.ts',
  ),
  async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('./#2/code/own');
    await page.getByRole('button', { name: /^Start from CSR: / }).click();
    await expectLaws(page);
    const looping = deltaModule('row.columns[i] - next').replace('let next = 0;', 'let next = 0; for (;;);');
    await paste(page, looping);
    await expect(page.getByText('encode has not ended after 2 s.')).toBeVisible();
    await page.getByRole('button', { name: 'End the module' }).click();
    await expect(page.getByText(/encode was ended after \d+\.\d s\./)).toBeVisible();
    await expect(editor(page)).toContainText('for (;;);');

    await paste(page, deltaModule('row.columns[i] - - ) next'));
    await expect(page.getByText(/^Line 10: SyntaxError/)).toBeVisible();
    await paste(page, deltaModule('row.columns[i] - next'));
    await expectLaws(page);
  },
);

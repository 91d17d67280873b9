// The selection bar in a browser: choosing formats, device and tokens by mouse, by keyboard and on a phone.

import type { Locator, Page } from '@playwright/test';
import { expect, scheduled, test } from './fixtures.ts';
import { axeViolationsInThemes } from './axe-violations.ts';

/** The selection bar, a sentence below the header. */
const selectionBar = (page: Page): Locator => page.getByRole('region', { name: 'Selection' });
/** An item of the selection bar, by its name. */
const item = (page: Page, name: string): Locator =>
  selectionBar(page).getByRole('button', { name: new RegExp(`^${name}:`) });
/** The row of a format in the picker of A or B. */
const formatRow = (page: Page, title: string): Locator =>
  page.getByRole('dialog', { name: /^[AB]$/ }).getByRole('button', { name: new RegExp(`\\b${title}\\b`) });

test.describe('by mouse', () => {
  test('A is chosen from groups of formats with bytes of this matrix, and then keys control the stage again', async ({
    app,
    page,
  }) => {
    await app.open();
    await expect(item(page, 'A')).toHaveText(/MACKO\s+4-bit skips/);
    await item(page, 'A').click();
    const formatPicker = page.getByRole('dialog', { name: 'A', exact: true });
    for (const group of ['baseline', 'classic', 'pruned weights', 'activations', 'N:M']) {
      await expect(formatPicker.getByText(group, { exact: true })).toBeVisible();
    }
    await expect(formatRow(page, 'CSR').first()).toContainText('316 624');
    await expect(formatRow(page, 'TwELL')).toContainText('opens sparse activations');
    await expect(formatRow(page, 'SlideSparse')).toContainText('prunes to 6:8 first');
    await formatRow(page, 'CSR').first().hover();
    await expect(item(page, 'A')).toContainText('CSR');
    await formatRow(page, 'ELL').first().click();
    await expect(formatPicker).toHaveCount(0);
    await app.ready();
    expect(await app.addressWith('a=ell')).toContain('#2/watch?');
    await app.oneStep();
    await app.expectStep(1);
    await page.goBack();
    await expect(item(page, 'A')).toContainText('MACKO');
  });

  test(
    'the chosen format lists its parameters, and the button between A and B exchanges them',
    scheduled(
      'three stories are built',
      'src/kit/forms/forms.test.tsx, every parameter can be set, src/app/selection/format-rows.test.ts, and the list at 390 px in e2e/selection.spec.ts',
    ),
    async ({ app, page }) => {
      await app.open('#2/watch?b=dense');
      await item(page, 'A').click();
      await page.getByRole('group', { name: 'delta bits' }).getByRole('radio', { name: '8' }).check();
      await expect(item(page, 'A')).toContainText('8-bit');
      // Escape restores everything, including parameters that were tried.
      await page.keyboard.press('Escape');
      await expect(item(page, 'A')).toContainText('4-bit');
      await item(page, 'A').click();
      await page.getByRole('group', { name: 'delta bits' }).getByRole('radio', { name: '8' }).check();
      await item(page, 'B').click();
      await page.getByRole('group', { name: 'values' }).getByRole('radio', { name: 'i4' }).check();
      await expect(item(page, 'B')).toContainText('dense i4');
      await page.getByRole('button', { name: 'swap', exact: true }).click();
      await expect(item(page, 'A')).toContainText('dense i4');
      await expect(item(page, 'B')).toHaveText(/MACKO\s+8-bit skips/);
      const address = await app.addressWith('b=macko');
      await app.go(address);
      await expect(item(page, 'B')).toHaveText(/MACKO\s+8-bit skips/);
      await item(page, 'B').click();
      await page.getByRole('button', { name: 'A alone' }).click();
      await expect(item(page, 'B')).toContainText('compare with another');
      await expect(page.getByRole('button', { name: 'swap', exact: true })).toHaveCount(0);
    },
  );

  test(
    'choosing a format that cannot store the matrix also opens a suitable matrix or pruning, with the same click',
    scheduled(
      'three matrices are opened',
      'src/app/selection/format-rows.test.ts and the refusals of e2e/watch.spec.ts',
    ),
    async ({ app, page }) => {
      await app.open();
      await item(page, 'A').click();
      await expect(formatRow(page, 'TwELL')).toContainText('opens sparse activations');
      await formatRow(page, 'TwELL').click();
      await expect(page.getByText(/^TwELL cannot store .* sparse activations instead\.$/)).toBeVisible();
      await app.addressWith('src=example:digits-gate-l1-3e-2');
      await app.addressWith('a=twell');
      await app.ready();
      await page.goBack();
      await expect(item(page, 'A')).toContainText('MACKO');
      await item(page, 'A').click();
      await expect(formatRow(page, 'SlideSparse')).toContainText('prunes to 6:8 first');
      await formatRow(page, 'SlideSparse').click();
      await app.addressWith('prune=n-of-m:6:8');
      await expect(item(page, 'Pruned to')).toContainText('6:8');
    },
  );

  test(
    'the chosen device and number of tokens are in the address',
    scheduled(
      'one more page load',
      'the four presses of e2e/tasks.spec.ts for the device, and src/state/url.test.ts for both',
    ),
    async ({ app, page }) => {
      await page.goto('./#2/compare?b=none');
      await item(page, 'Tokens').click();
      await page.getByRole('group', { name: 'Tokens at once' }).getByRole('button', { name: '16' }).click();
      await expect(item(page, 'Tokens')).toContainText('16 tokens');
      await app.addressWith('tokens=16');
      await item(page, 'Device').click();
      await page.getByRole('button', { name: 'GeForce RTX 4090' }).click();
      await expect(item(page, 'Device')).toContainText('GeForce RTX 4090');
      await app.addressWith('on=rtx-4090');
      await item(page, 'Device').click();
      await expect(page.getByRole('button', { name: /software: not the speed of a card/ })).toBeVisible();
      await page.getByRole('button', { name: 'type a read speed' }).click();
      await page.getByLabel('reads, GB/s').fill('900');
      await app.addressWith('on=typed:900');
    },
  );
});

test.describe('by keyboard', () => {
  test(
    '/ focuses the selection bar, arrows move between its items, and Escape restores the choices',
    scheduled(
      'a second way through the selection bar by keys',
      'src/app/selection/choice-keys.test.tsx, and e2e/tasks.spec.ts by keys alone',
    ),
    async ({ app, page }) => {
      await app.open('#2/watch?b=dense');
      const before = await app.addressWith('moment=0');
      await page.keyboard.press('/');
      const first = selectionBar(page).locator('.word').first();
      await expect(first).toBeFocused();
      await page.keyboard.press('ArrowLeft');
      await expect(item(page, 'Device')).toBeFocused();
      await page.keyboard.press('ArrowLeft');
      await expect(page.getByRole('button', { name: 'swap', exact: true })).toBeFocused();
      for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowDown');
      await expect(formatRow(page, 'MACKO')).toBeFocused();
      await page.keyboard.type('csr');
      const searchField = page.getByRole('textbox', { name: 'Find a format' });
      await expect(searchField).toHaveValue('csr');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(item(page, 'A')).toBeFocused();
      await expect(item(page, 'A')).toContainText('MACKO');
      await expect.poll(() => new URL(page.url()).hash).toBe(before);
    },
  );

  test(
    'arrows move from A to B while there is no button to exchange them',
    scheduled('one more page load', 'src/app/selection/choice-keys.test.tsx'),
    async ({ app, page }) => {
      await app.open();
      await expect(page.getByRole('button', { name: 'swap', exact: true })).toHaveCount(0);
      await item(page, 'A').focus();
      await page.keyboard.press('ArrowRight');
      await expect(item(page, 'B')).toBeFocused();
      await page.keyboard.press('ArrowLeft');
      await expect(item(page, 'A')).toBeFocused();
    },
  );

  test(
    'Enter chooses the found format as A, Shift+Enter as B, and X exchanges them',
    scheduled(
      'one more page load',
      'src/app/selection/choice-keys.test.tsx, src/app/commands.test.ts for X, and e2e/tasks.spec.ts by keys alone',
    ),
    async ({ app, page }) => {
      await app.open();
      await item(page, 'A').focus();
      await page.keyboard.press('Enter');
      await expect(formatRow(page, 'MACKO')).toBeFocused();
      await page.keyboard.type('ec');
      await page.keyboard.press('Shift+Enter');
      await expect(item(page, 'B')).toContainText('EC-SpMV');
      await expect(item(page, 'A')).toContainText('MACKO');
      await expect(page.locator('#content')).toBeFocused();
      await page.keyboard.press('x');
      await expect(item(page, 'A')).toContainText('EC-SpMV');
      await expect(item(page, 'B')).toContainText('MACKO');
      await item(page, 'A').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await expect(item(page, 'A')).toContainText('MACKO');
    },
  );

  test(
    'pages are opened by their numbers, and by letters after G',
    scheduled('loads three pages', 'src/kit/shortcuts.test.tsx'),
    async ({ app, page }) => {
      await app.open();
      const pages = page.getByRole('navigation', { name: 'Pages' });
      for (const [keys, title] of [
        [['2'], 'Compare'],
        [['g', 'm'], 'Measure'],
        [['6'], 'Learn'],
        [['g', 'w'], 'Watch'],
      ] as const) {
        for (const key of keys) await page.keyboard.press(key);
        await expect(pages.getByRole('link', { name: title })).toHaveAttribute('aria-current', 'page');
      }
    },
  );

  test(
    'the command palette changes several items of the selection at once',
    scheduled('one more page load', 'src/app/palette/find-selection.test.ts, and the palette in e2e/access.spec.ts'),
    async ({ app, page }) => {
      await app.open();
      await page.keyboard.press('ControlOrMeta+k');
      await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
      await page.keyboard.type('llama-3.1 4090 dense i4');
      await expect(page.getByRole('listbox').getByRole('option').first()).toHaveText(
        /Llama-3\.1-8B in dense i4 on GeForce RTX 4090/,
      );
      await page.keyboard.press('Enter');
      await expect(item(page, 'A')).toContainText('dense i4');
      await expect(item(page, 'Device')).toContainText('4090');
      const address = await app.addressWith('model=llama-3.1-8b');
      expect(address).toContain('on=rtx-4090');
      await page.goBack();
      await expect(item(page, 'A')).toContainText('MACKO');
    },
  );
});

test(
  'a lesson, which has its own matrix, shows no selection bar; the list of lessons does',
  scheduled('one more page load', 'e2e/learn.spec.ts'),
  async ({ app, page }) => {
    await app.open();
    await page.keyboard.press('6');
    await expect(page.getByRole('heading', { name: 'Learn' }).or(page.getByRole('main')).first()).toBeVisible();
    await expect(selectionBar(page)).toBeVisible();
    await page.getByRole('main').getByRole('button').or(page.getByRole('main').getByRole('link')).first().click();
    await expect(selectionBar(page)).toHaveCount(0);
    await page.keyboard.press('x');
    await page.goBack();
    await expect(item(page, 'A')).toContainText('MACKO');
  },
);

test.describe('390 px', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the selection is a list with one open row, and with the headline above Done', async ({ app, page }) => {
    await app.open('#2/watch?b=dense');
    await page.getByRole('button', { name: /^Change the selection/ }).click();
    const list = page.getByRole('dialog', { name: 'Selection' });
    await list.getByRole('button', { name: /A: MACKO/ }).click();
    await expect(list.getByRole('button', { name: /^CSR/ })).toBeVisible();
    await expect(list.getByRole('button', { name: /Tokens/ })).toHaveCount(0);
    await list.getByRole('button', { name: /Device: / }).click();
    await expect(list.getByRole('button', { name: /^CSR/ })).toHaveCount(0);
    await list.getByRole('button', { name: /A: MACKO/ }).click();
    await list.getByRole('button', { name: /^CSR/ }).click();
    // The headline of Watch, the same as above the picture.
    await expect(list.getByRole('status').filter({ hasText: 'stores' })).toHaveText(
      /^CSR stores this matrix in 316.624.bytes, dense f16 in 524.288:/,
    );
    await list.getByRole('button', { name: 'swap', exact: true }).click();
    await list.getByRole('button', { name: 'Done' }).click();
    await expect(list).toHaveCount(0);
    const foldedBar = page.getByRole('button', { name: /^Change the selection/ });
    await expect(foldedBar).toContainText(/dense\s+f16\s+against\s+CSR/);
  });

  test(
    'at 390 px the links to pages are at the lower edge',
    scheduled(
      'one more page load',
      'the first screen on a phone in e2e/fits.spec.ts, which has them at the lower edge',
    ),
    async ({ app, page }) => {
      await app.open();
      const pages = page.getByRole('navigation', { name: 'Pages' });
      await expect
        .poll(async () => {
          const box = await pages.boundingBox();
          return box && Math.round(box.y + box.height);
        })
        .toBe(844);
      await pages.getByRole('link', { name: 'Compare' }).click();
      await expect(pages.getByRole('link', { name: 'Compare' })).toHaveAttribute('aria-current', 'page');
      await app.addressWith('#2/compare');
    },
  );

  test(
    'one line of the selection bar stays in view while the content scrolls',
    scheduled(
      'one more page load',
      'the selection bar does not fold during a press, which tests folding, in e2e/selection.spec.ts',
    ),
    async ({ app, page }) => {
      await app.open('#2/watch?b=dense');
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Compare' }).click();
      const foldedBar = page.getByRole('button', { name: /^Change the selection/ });
      await expect(foldedBar).toContainText('1 token');
      await expect(page.getByRole('table', { name: /^All formats on this matrix/ })).toBeVisible();
      await expect(page.getByRole('button', { name: 'details' })).toBeVisible();
      await page.mouse.move(200, 500);
      await page.mouse.wheel(0, 600);
      await expect(foldedBar).not.toContainText('1 token');
      await expect(foldedBar).toContainText(/MACKO.*against.*dense/);
      // Scrolling a table horizontally does not unfold the selection bar.
      const scrolled = await page.locator('#content').evaluate(async (content) => {
        const scrollable = [...content.querySelectorAll('*')].find((element) => {
          element.scrollLeft = 40;
          return element.scrollLeft > 0;
        });
        for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
        return scrollable?.scrollLeft ?? 0;
      });
      expect(scrolled).toBeGreaterThan(0);
      await expect(foldedBar).not.toContainText('1 token');
    },
  );

  test('the selection bar does not fold during a press', async ({ page }) => {
    await page.goto('./#2/learn');
    const foldedBar = page.getByRole('button', { name: /^Change the selection/ });
    await expect(foldedBar).toContainText('not pruned');
    // Tokens and device do not apply to lessons.
    await expect(foldedBar).not.toContainText(/ token| on /);
    /** Scrolls, and waits until the page has been drawn. */
    const scrollTo = (top: number): Promise<void> =>
      page.locator('#content').evaluate(async (element, to) => {
        element.scrollTo(0, to);
        for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
      }, top);
    // Waits for the lessons, which replace a placeholder with another heading.
    await page.getByRole('heading', { level: 2, name: /^Leaving out zeros/ }).hover();
    await page.mouse.down();
    await scrollTo(300);
    expect(await foldedBar.textContent()).toContain('not pruned');
    await page.mouse.up();
    await expect(foldedBar).not.toContainText('not pruned');
    await page.mouse.down();
    await scrollTo(0);
    expect(await foldedBar.textContent()).not.toContain('not pruned');
    await page.mouse.up();
    await expect(foldedBar).toContainText('not pruned');
  });
});

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height }, reducedMotion: 'reduce' });

    test(
      'axe finds nothing while an item of the selection bar is open',
      scheduled('axe takes seconds for each state of the page', 'e2e/axe.spec.ts, which has dialogs'),
      async ({ page }) => {
        await page.goto('./#2/compare');
        const names = ['A', 'B', 'Device', 'Tokens'];
        if (width < 480) await page.getByRole('button', { name: /^Change the selection/ }).click();
        for (const name of names) {
          if (width < 480)
            await page
              .getByRole('dialog')
              .getByRole('button', { name: new RegExp(`\\b${name}:`) })
              .click();
          else await item(page, name).click();
          await expect(page.getByRole('textbox').first()).toBeVisible();
          expect(await axeViolationsInThemes(page), name).toEqual([]);
          if (width > 480) await page.keyboard.press('Escape');
        }
      },
    );
  });
}

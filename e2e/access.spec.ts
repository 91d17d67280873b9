// Tests of accessibility: axe at several sizes, keyboard focus, and the theme.

import type { Page } from '@playwright/test';
import { safetensors } from './files.ts';
import { expect, scheduled, test } from './fixtures.ts';
import { axeViolationsInThemes } from './axe-violations.ts';
import { setHidden } from './at-once.ts';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;

/** The violations that axe finds at any of the sizes. The window is resized; the page is not opened again. */
async function violationsAtSizes(page: Page): Promise<readonly string[]> {
  const violations: string[] = [];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    violations.push(...(await axeViolationsInThemes(page)).map((violation) => `${size.width} px, ${violation}`));
  }
  await page.setViewportSize(SIZES[0]);
  return violations;
}

test.describe('axe finds nothing', () => {
  test.use({ viewport: SIZES[0], reducedMotion: 'reduce' });

  test(
    'on the first visit',
    scheduled(
      'axe in light and dark at two widths',
      'e2e/axe.spec.ts, which examines the first visit in one theme at 1440 px',
    ),
    async ({ app, page }) => {
      await app.firstVisit();
      expect(await violationsAtSizes(page)).toEqual([]);
    },
  );

  test(
    'while the animation is visible, and in the tables of a step',
    scheduled(
      'axe in light and dark at two widths',
      'e2e/axe.spec.ts, which examines a step with its tables in one theme at 1440 px',
    ),
    async ({ app, page }) => {
      await app.open();
      await app.oneStep();
      await app.expectStep(1);
      expect(await violationsAtSizes(page)).toEqual([]);
      // By key: the layout above may still change, and a mouse press that begins and ends at different positions is not a click.
      await app.button('tables').press('Enter');
      await expect(app.details('tables').getByRole('table').first()).toBeVisible();
      expect(await violationsAtSizes(page)).toEqual([]);
    },
  );

  test(
    'in the dialogs',
    scheduled(
      'axe in light and dark at two widths',
      'e2e/axe.spec.ts, which examines the palette in one theme at 1440 px',
    ),
    async ({ app, page }) => {
      await app.open();
      for (const key of ['ControlOrMeta+k', '?']) {
        await page.keyboard.press(key);
        await expect(page.getByRole('dialog')).toBeVisible();
        expect(await violationsAtSizes(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
      }
    },
  );

  test(
    'while an error message is visible',
    scheduled(
      'axe in light and dark at two widths',
      'e2e/axe.spec.ts, which examines the message about a wrong address in one theme at 1440 px',
    ),
    async ({ app, page }) => {
      await app.open('#2/watch?a=nonsense&b=none');
      await expect(page.getByRole('alert')).toBeVisible();
      expect(await violationsAtSizes(page)).toEqual([]);
    },
  );
});

for (const size of SIZES) {
  test.describe(`${size.width} px`, () => {
    test.use({ viewport: size, reducedMotion: 'reduce' });

    test(
      'axe finds nothing in the choice of a tensor, and in the pruning of a matrix',
      scheduled(
        'axe in light and dark at two widths',
        'e2e/axe.spec.ts, which examines the same dialogs of the selection bar in one theme at 1440 px; src/app/matrix-picker/tensors.test.tsx has the roles of the tensor browser',
      ),
      async ({ app, page }) => {
        await app.open();
        await app.dropFile(safetensors('model.safetensors'));
        const dialog = page.getByRole('dialog', { name: 'Choose a tensor' });
        await dialog.getByRole('radio').nth(1).check();
        await dialog.getByRole('button', { name: 'Look inside' }).click();
        await expect(dialog.getByRole('img')).toBeVisible();
        expect(await axeViolationsInThemes(page)).toEqual([]);
        await dialog.getByRole('button', { name: 'Open' }).click();
        await expect(dialog).toHaveCount(0);
        const isNarrow = size.width < 800;
        if (isNarrow) await page.getByRole('button', { name: /^Change the selection/ }).click();
        const selectionBar = isNarrow ? page.getByRole('dialog', { name: 'Selection' }) : app.selection;
        await selectionBar.getByRole('button', { name: /Pruned to: / }).click();
        await page.getByRole('radio', { name: 'by magnitude in every row' }).check();
        await expect(page.getByRole('slider', { name: 'Left' })).toBeVisible();
        expect(await axeViolationsInThemes(page)).toEqual([]);
        if (!isNarrow) await page.keyboard.press('Escape');
        await selectionBar.getByRole('button', { name: /Weights: / }).click();
        await expect(page.getByRole('region', { name: 'The open matrix' })).toBeVisible();
        expect(await axeViolationsInThemes(page)).toEqual([]);
      },
    );
  });
}

test.describe('the benchmark', () => {
  test.use({ viewport: SIZES[0], reducedMotion: 'reduce' });

  test(
    'axe finds nothing in the benchmark after a run',
    scheduled(
      'axe in light and dark at two widths, after a run of kernels on a GPU in software',
      'e2e/axe.spec.ts, which examines Measure before a run',
    ),
    async ({ app, page }) => {
      await app.openBenchmark();
      await app.onlyFormats(/MACKO|ELL|SlideSparse/);
      await app.run();
      expect(await violationsAtSizes(page)).toEqual([]);
    },
  );
});

test.describe('by keyboard alone', () => {
  test.use({ details: '' });

  test('Tab reaches the selection bar, the details sections and the player, and the focus is visible', async ({
    app,
    page,
  }) => {
    await app.open();
    const reached = new Set<string>();
    for (let i = 0; i < 70; i++) {
      await page.keyboard.press('Tab');
      await expect
        .poll(async () => {
          const { name, isOutlined } = await page.evaluate(() => {
            const element = document.activeElement;
            if (!element || element === document.body) return { name: 'nothing', isOutlined: true };
            const style = getComputedStyle(element);
            const isOutlined = style.outlineStyle !== 'none' || style.boxShadow !== 'none';
            return { name: element.getAttribute('aria-label') ?? element.textContent.trim(), isOutlined };
          });
          reached.add(name);
          return isOutlined ? 'seen' : `the focus on '${name}' cannot be seen`;
        })
        .toBe('seen');
    }
    for (const name of [
      /^Skip to content$/,
      /^Share$/,
      /MACKO/,
      /^details$/,
      /^row \d+, column \d+: /,
      /^Step$/,
      /^Play$/,
    ]) {
      expect(
        [...reached].some((found) => name.test(found)),
        `${name} among ${[...reached].join(', ')}`,
      ).toBe(true);
    }
  });

  test('a dialog keeps the focus, and returns it; the palette finds a command and runs it', async ({ app, page }) => {
    await app.open();
    await test.step('a dialog keeps the focus, and returns it when it closes', async () => {
      const opener = page.getByRole('button', { name: 'Export' });
      await opener.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await expect(dialog).toBeVisible();
      await page.keyboard.press('Tab');
      await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(opener).toBeFocused();
    });
    await test.step('the palette finds a command and runs it', async () => {
      await page.keyboard.press('ControlOrMeta+k');
      await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
      await page.keyboard.type('last step');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await app.expectStep(await app.stepCount());
    });
  });

  test('the focus is in the benchmark after a run was started by a key, and in its result after a cancel', async ({
    app,
    page,
  }) => {
    await app.openBenchmark();
    await page.getByRole('radio', { name: 'CPU' }).check();
    // A run waits while the page is hidden, so that it can be cancelled on machines of any speed.
    await setHidden(page, true);
    await app.link('Watch').click();
    await app.ready();
    await app.button('Next frame').focus();
    await page.keyboard.press('ControlOrMeta+Enter');
    const content = page.locator('#content');
    await expect(content).toBeFocused();
    await expect(page.getByRole('main')).toContainText('waiting because the page is hidden');
    const cancel = page.getByRole('main').getByRole('button', { name: 'Cancel' });
    await cancel.focus();
    await page.keyboard.press('Enter');
    await expect(cancel).toHaveCount(0);
    await expect(content).toBeFocused();
  });
});

test(
  'the theme is chosen by hand and stays after a reload',
  scheduled(
    'one more page load',
    'src/state/preferences.test.ts, keep the choice, and e2e/policy.spec.ts, applies a chosen theme before any other script',
  ),
  async ({ app, page }) => {
    const backgroundColor = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await page.emulateMedia({ colorScheme: 'light' });
    await app.open();
    const light = await backgroundColor();
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
    await page.keyboard.type('dark colours');
    await page.keyboard.press('Enter');
    await expect.poll(backgroundColor).not.toBe(light);
    await page.reload();
    await app.ready();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect.poll(backgroundColor).not.toBe(light);
  },
);

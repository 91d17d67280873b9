// Drafts (kernels that the user changes) and exercises in a browser: editing, storage, links, files, runs.

import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { expect, RUNS_ALL, scheduled, test } from '../../../e2e/fixtures.ts';
import { setColorScheme } from '../../../e2e/axe-violations.ts';
import { axeViolationsInTestAll } from '../../../e2e/axe-violations-in-test-all.ts';

const SOURCE = 'src=generated:uniform&shape=96x64&density=0.3&seed=1';

test.describe('once the page is idle', () => {
  test.use({ loadsAhead: true });

  test(
    'the editor is loaded only when the user is about to edit',
    scheduled(
      'code that decides what is loaded ahead seldom changes',
      'src/kit/browser/lazy-part.test.tsx, preloadParts loads small parts, and leaves large ones until they are shown',
    ),
    async ({ page }) => {
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      const editors = (): number => requests.filter((url) => /\/KernelEditor-[^/]*\.js$/.test(url)).length;
      await page.goto(`./#2/code?${SOURCE}&a=csr`);
      await page.waitForFunction(() => performance.getEntriesByName('all parts loaded').length > 0);
      expect(editors()).toBe(0);
      await page.getByRole('button', { name: 'Edit a copy' }).hover();
      await expect.poll(editors).toBe(1);
    },
  );
});

/** The drafts that the browser stores, as text. */
function storedDrafts(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('sparsescope-kept');
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction('kernel-drafts').objectStore('kernel-drafts').getAll();
          reading.addEventListener('success', () => {
            opening.result.close();
            resolve(JSON.stringify(reading.result));
          });
        });
      }),
  );
}

test('a draft is edited, survives a reload, and can be shared by a link that runs nothing', async ({
  page,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`./#2/code/csr/spmv_scalar?${SOURCE}&b=none&csr.indexBits=32`);
  await page.getByRole('button', { name: 'Edit a copy' }).click();
  const editor = page.getByRole('textbox', { name: /^csr\/spmv_scalar\.wgsl/ });
  // The line numbers stay in place above long lines, so they need the page's background in light and dark.
  const gutters = page.locator('.cm-gutters');
  await expect(gutters).toHaveCSS('position', 'sticky');
  for (const colorScheme of ['dark', 'light'] as const) {
    await setColorScheme(page, colorScheme);
    const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(ground).toMatch(/^rgb\(/);
    await expect(gutters).toHaveCSS('background-color', ground);
  }
  // The editor opens at the loop, which stays marked while the code is edited.
  const loop = editor.locator('.cm-marked');
  await expect(loop.first()).toContainText('for (');
  const lines = await loop.count();
  await loop.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(loop.first()).toContainText('for (');
  await expect(loop).toHaveCount(lines);
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+Home');
  // 'm' and '?' are shortcuts of the page, but letters in the editor.
  await page.keyboard.type('// mine ? ');
  await expect(editor).toContainText('// mine ? // csr/spmv_scalar');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(editor).not.toBeFocused();
  await page.getByRole('textbox', { name: 'WORKGROUP_SIZE' }).fill('128');
  await expect(page.getByRole('textbox', { name: 'WORKGROUP_SIZE, yours' })).toHaveValue('128');
  await page.getByRole('main').getByRole('button', { name: 'Compare' }).click();
  await expect(editor).toContainText('// csr/spmv_scalar: y = A x');
  expect(await axeViolationsInTestAll(page)).toEqual([]);

  await expect.poll(() => storedDrafts(page)).toContain('128');
  await page.reload();
  await expect(editor).toContainText('// mine ? // csr/spmv_scalar');
  // Text typed right before the page closes is saved as well; only where all tests run, since the page loads once more.
  if (RUNS_ALL) {
    await editor.click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('// last ');
    await expect(editor).toContainText('// last // mine ? ');
    await page.reload();
    await expect(editor).toContainText('// last // mine ? // csr/spmv_scalar');
  }
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText(/^Link copied\./)).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const other = await browser.newPage();
  await other.goto(link);
  await expect(other.getByRole('heading', { level: 2, name: /^Somebody’s code/ })).toBeVisible();
  await expect(other.getByRole('textbox', { name: /^csr\/spmv_scalar\.wgsl/ })).toContainText('// mine ? // csr');
  await expect(other.getByRole('textbox', { name: 'WORKGROUP_SIZE, yours' })).toHaveValue('128');
  await expect(other.getByRole('button', { name: 'Run another user’s code' })).toBeVisible();
  await expect(other.getByRole('checkbox', { name: 'run on every change' })).toBeDisabled();
  await expect(other.getByRole('heading', { name: /^Last run/ })).toHaveCount(0);
  await other.close();
});

test(
  'a draft from a file is rejected while it is wrong, and any version can be restored',
  scheduled(
    'three drafts are run on more than twenty matrices on a GPU in software',
    'labs/workbench/page/service/drafts/run-draft.gpu.test.ts and labs/workbench/page/kernel-drafts/kernel-library.test.ts',
  ),
  async ({ page }) => {
    await page.goto(`./#2/code/csr/spmv_scalar?${SOURCE}&a=csr&a.indexBits=32&b=none`);
    const original = readFileSync(new URL('../../../shaders/csr/spmv_scalar.wgsl', import.meta.url), 'utf8');
    const wrong = original.replace('y[row] = sum;', 'y[row] = sum + select(0.0, 1.0, row % 7u == 3u);');
    const text = ['// SparseScope draft 1', '// kernel: csr/spmv_scalar', '// ---- csr/spmv_scalar.wgsl', wrong].join(
      '\n',
    );
    await expect(page.getByRole('group', { name: 'csr/spmv_scalar.wgsl' })).toBeVisible();
    const fileChooser = page.waitForEvent('filechooser');
    const draftsAndExercises = page.locator('details', { hasText: 'your drafts, and exercises' });
    if (!(await draftsAndExercises.getAttribute('open').then((open) => open !== null)))
      await page.getByText('your drafts, and exercises').click();
    await page.getByRole('button', { name: 'Open a draft' }).click();
    await (await fileChooser).setFiles({ name: 'mine.wgsl', mimeType: 'text/plain', buffer: Buffer.from(text) });

    const heading = (name: string | RegExp): Locator => page.getByRole('heading', { level: 2, name });
    await expect(heading(/^Somebody’s code/)).toBeVisible();
    const editor = page.getByRole('textbox', { name: /^csr\/spmv_scalar\.wgsl/ });
    await expect(editor).toBeVisible();
    await page.getByRole('button', { name: 'Run another user’s code' }).click();
    await expect(heading('Draft 1 is wrong: 14 of 96 outputs.')).toBeVisible();
    await expect(page.getByRole('img', { name: 'Map of wrong outputs: 14 of 96, the first is 3' })).toBeVisible();
    const stop = page.getByRole('button', { name: 'Cancel', exact: true });
    await expect(stop).toHaveCount(0);

    await editor.focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('fn');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(heading(/^Draft 2 does not compile: 1 error/)).toBeVisible();
    await expect(editor.locator('.cm-message')).toBeVisible();
    await expect(stop).toHaveCount(0);

    const versions = page.getByRole('region', { name: 'Versions' });
    await versions.getByRole('button', { name: 'back to version 1' }).click();
    await expect(page.getByRole('region', { name: 'Draft 1' })).toBeVisible();
    await versions.getByRole('button', { name: 'back to the original' }).click();
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(heading(/^Draft 3 is right on \d+ matrices/)).toBeVisible();
    await expect(versions.getByRole('listitem')).toHaveCount(4);
  },
);

test(
  'a link that unpacks to more than a draft, and a paste of 80 KB, are rejected, and the page stays unchanged',
  scheduled(
    'bounds of links and pastes',
    'labs/workbench/page/kernel-drafts/draft-file.test.ts, stops unpacking at the size limit of a draft, and labs/workbench/page/editor/changed-lines.test.ts',
  ),
  async ({ page }) => {
    const text = `// SparseScope draft 1\n// kernel: csr/spmv_scalar\n// ---- csr/spmv_scalar.wgsl\n${'x'.repeat(2 ** 20)}`;
    const code = deflateRawSync(Buffer.from(text)).toString('base64url');
    expect(code.length).toBeLessThan(2000);
    await page.goto(`./#2/code/csr/spmv_scalar?${SOURCE}&b=none&csr.indexBits=32&code=${code}`);
    await expect(page.getByText(/The draft in the link: found more than 65.536 characters/)).toBeVisible();

    await page.getByRole('button', { name: 'Edit a copy' }).click();
    const editor = page.getByRole('textbox', { name: /^csr\/spmv_scalar\.wgsl/ });
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('// mine');
    await page.keyboard.insertText('x'.repeat(80_000));
    await expect(page.getByText(/^The draft would be too long: found 8\d.\d{3} characters/)).toBeVisible();
    await page.keyboard.type(' still');
    await expect(editor).toContainText('// mine still// csr/spmv_scalar');
    // A draft of nearly the maximum length: one line, unrelated to the original.
    await page.keyboard.insertText('y'.repeat(50_000));
    await page.keyboard.type('z');
    await page.getByRole('main').getByRole('button', { name: 'Compare' }).click();
    await expect.poll(() => storedDrafts(page)).toContain('yyyz');
  },
);

test(
  'a broken draft in the storage is listed and can be removed, and the others stay',
  scheduled(
    'reading from the storage needs no page',
    'labs/workbench/page/kernel-drafts/kernel-library.test.ts, loads readable drafts, lists unreadable ones',
  ),
  async ({ page }) => {
    await page.goto(`./#2/code/csr/spmv_scalar?${SOURCE}&b=none&csr.indexBits=32`);
    await page.getByRole('button', { name: 'Edit a copy' }).click();
    await expect.poll(() => storedDrafts(page)).toContain('spmv_scalar');
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('sparsescope-kept');
          opening.addEventListener('success', () => {
            const drafts = opening.result.transaction('kernel-drafts', 'readwrite').objectStore('kernel-drafts');
            const reading = drafts.getAll();
            reading.addEventListener('success', () => {
              drafts.put({ ...reading.result[0], id: 'broken', name: 'half', versions: [null] }, 'broken');
              drafts.transaction.addEventListener('complete', () => {
                opening.result.close();
                resolve();
              });
            });
          });
        }),
    );
    await page.reload();
    const yours = page.getByRole('region', { name: 'Yours' });
    await expect(yours.getByRole('listitem')).toHaveCount(1);
    const broken = yours.getByText('The draft half cannot be read');
    await expect(broken).toBeVisible();
    await yours.getByRole('button', { name: 'Remove it' }).click();
    await expect(broken).toHaveCount(0);
    await expect.poll(() => storedDrafts(page)).not.toContain('half');
    await page.reload();
    await expect(yours.getByRole('listitem')).toHaveCount(1);
    await expect(broken).toHaveCount(0);
  },
);

test(
  'an error out of view is scrolled into view by its run, and on every request',
  scheduled(
    'a kernel is compiled on a GPU in software',
    'labs/workbench/page/editor/fixes.test.ts, covers the whole name if the compiler reports only its first letter',
  ),
  async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 600 });
    await page.goto(`./#2/code/csr/spmv_scalar?${SOURCE}&b=none&csr.indexBits=32`);
    await page.getByRole('button', { name: 'Edit a copy' }).click();
    const editor = page.getByRole('textbox', { name: /^csr\/spmv_scalar\.wgsl/ });
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('fn');
    const scrollToTop = async (): Promise<void> => {
      await editor.focus();
      await page.keyboard.press('ControlOrMeta+Home');
      await expect(editor.locator('.cm-line').first()).toBeInViewport();
    };
    await scrollToTop();
    await page.keyboard.press('ControlOrMeta+Enter');
    const message = editor.locator('.cm-message');
    await expect(message).toBeInViewport();
    for (let attempt = 0; attempt < 2; attempt++) {
      await scrollToTop();
      await expect(message).not.toBeInViewport();
      await page.getByRole('button', { name: /^1 error, line \d+/ }).click();
      await expect(message).toBeInViewport();
    }
  },
);

test(
  'an exercise begins with its task on a narrow page',
  scheduled('the same steps at another width', 'labs/workbench/exercises/exercises.test.ts'),
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`./#2/code/exercise/1?${SOURCE}&b=none`);
    await expect(page.locator('.cm-content')).toContainText('Exercise 1');
    await expect(page.getByRole('heading', { name: 'A lane for every row' })).toBeInViewport();
  },
);

test(
  'an exercise reports what is missing, accepts its solution, and is done; the kernel is listed with the others',
  scheduled(
    'two drafts are run on more than twenty matrices on a GPU in software',
    'labs/workbench/exercises/exercises.gpu.test.ts and labs/workbench/page/exercises/verdict.test.ts',
  ),
  async ({ page }) => {
    await page.goto(`./#2/code/exercise/3?${SOURCE}&b=none`);
    await expect(page.getByRole('heading', { level: 2, name: 'A subgroup for every row' })).toBeVisible();
    const editor = page.getByRole('textbox', { name: /^csr\/scratch\.wgsl/ });
    await expect(editor).toContainText('Your turn');
    const outcome = page.getByRole('complementary', { name: 'About this draft' });
    await outcome.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(outcome.getByText(/^Only one entry per lane is read/)).toBeVisible();
    const task = page.getByRole('complementary', { name: 'Exercise' });
    await task.getByRole('button', { name: /^Hint/ }).click();
    await expect(task.getByRole('heading', { name: 'Hint 1' })).toBeVisible();
    await task.getByText('Show a solution').click();
    await task.getByRole('button', { name: 'Put it into the editor' }).click();
    expect(await axeViolationsInTestAll(page)).toEqual([]);
    await expect(outcome.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
    await outcome.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(outcome.getByText(/^Done: it is right on every matrix/)).toBeVisible();
    await outcome.getByRole('checkbox', { name: /^list it/ }).check();
    await outcome.getByRole('link', { name: 'Show it there' }).click();
    await expect(page.getByRole('group', { name: /^Your drafts/ }).getByRole('checkbox')).toBeChecked();

    await page.goto(`./#2/code?${SOURCE}&a=csr&a.indexBits=32&b=none`);
    await expect(page.getByText('4 exercises, 1 done')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Drafts in this session' }).getByRole('button')).toHaveCount(1);
  },
);

test('three presses change a kernel and run it', async ({ app, page }) => {
  await app.open('#2/watch?src=generated:uniform&shape=64x96&density=0.3&seed=1&a=csr&b=none');
  await app.link('Code').click();
  await page.getByRole('button', { name: 'Edit a copy' }).click();
  const field = page.getByRole('main').getByRole('textbox').first();
  await expect(field).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: /^Run/ }).click();
  await expect(page.getByRole('complementary').or(page.getByRole('main')).first()).toContainText(
    /verified|within the bound/,
    {
      timeout: 120_000,
    },
  );
});

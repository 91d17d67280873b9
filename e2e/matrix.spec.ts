// Tests of opening a matrix: from a file, a broken file, a generator, the gallery of examples, and a model.

import type { Page } from '@playwright/test';
import { clickAsSoonAsVisible } from './at-once.ts';
import { expect, type SparseScope, scheduled, test } from './fixtures.ts';
import { bandedMtx, gzipped, mtx, NO_MATRIX, npy, OUT_OF_RANGE_MTX, type TestFile, TRUNCATED_MTX } from './files.ts';

async function expectShape(app: SparseScope, rows: number | string, cols: number | string): Promise<void> {
  await expect(app.selection).toContainText(`${rows} × ${cols}`);
}

test.beforeEach(async ({ app }) => {
  await app.open();
});

test('a matrix is opened from a file, read by keyboard, and generated; cancelling and a broken file leave the page unchanged', async ({
  app,
  page,
}) => {
  await test.step('opens a Matrix Market file through the picker, and its story begins at the start', async () => {
    await app.oneStep();
    await app.openFile(bandedMtx('banded.mtx', 40));
    await expectShape(app, 40, 40);
    await app.expectMatrix(/non-zeros\s*77/);
    await app.expectStep(0);
    await expect(app.selection).toContainText('banded.mtx');
  });
  await test.step('arrow keys move a cursor through the matrix, and its row, column and value are shown', async () => {
    const cells = page.getByRole('application', { name: 'Matrix cells' });
    const readout = page.locator('.matrix-readout');
    await app.openFile(
      mtx('corner.mtx', 8, 8, [
        [0, 0, 1.5],
        [1, 1, -2],
      ]),
    );
    await expectShape(app, 8, 8);
    await app.openMatrixPicker();
    await cells.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ControlOrMeta+Home');
    await expect(readout).toHaveText('row 0, col 0: 1.5');
    await page.keyboard.press('ArrowRight');
    await expect(readout).toHaveText('row 0, col 1: not stored');
    await page.keyboard.press('ArrowDown');
    await expect(readout).toContainText(/row 1, col 1: .2/);
    // The keys of the player do not apply here.
    await app.expectStep(0);
    await page.keyboard.press('Escape');
  });
  await test.step('generates a matrix from pattern, shape, density and seed, and puts them into the address', async () => {
    const dialog = await app.openMatrixPicker();
    await dialog.getByRole('button', { name: 'Generate…' }).click();
    await dialog.getByRole('combobox', { name: 'pattern' }).selectOption({ label: 'Uniform' });
    await dialog.getByRole('textbox', { name: 'rows' }).fill('70');
    await dialog.getByRole('textbox', { name: 'cols' }).fill('90');
    await dialog.getByRole('textbox', { name: '% left' }).fill('25');
    await dialog.getByRole('textbox', { name: 'seed' }).fill('11');
    await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
    await expectShape(app, 70, 90);
    await expect(page).toHaveURL(/src=generated:uniform/);
    await expect(page).toHaveURL(/shape=70x90/);
    await expect(page).toHaveURL(/density=0\.25/);
    await expect(page).toHaveURL(/seed=11/);
  });
  await test.step('opening can be cancelled, and the screen does not change', async () => {
    await app.oneStep();
    await app.expectStep(1);
    const weights = app.selection.getByRole('button', { name: /^Weights: / });
    const before = await weights.innerText();
    const dialog = await app.openMatrixPicker();
    await dialog.getByRole('button', { name: 'Generate…' }).click();
    await dialog.getByRole('textbox', { name: 'rows' }).fill('8192');
    await dialog.getByRole('textbox', { name: 'cols' }).fill('8192');
    const cancelled = clickAsSoonAsVisible(page, /^[Cc]ancel$/, 'body:has(progress)');
    await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
    await cancelled;
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(weights).toHaveText(before, { useInnerText: true });
    await app.expectStep(1);
  });
  await test.step('a broken file gives one sentence, and the screen does not change', () =>
    expectRejected(app, page, OUT_OF_RANGE_MTX, /outside\.mtx.*7.*4/));
});

test(
  'opens a packed Matrix Market file',
  scheduled(
    'one page load for each way of packing',
    'src/io/opened-files.test.ts and the file that is opened through the picker',
  ),
  async ({ app }) => {
    await app.openFile(gzipped(bandedMtx('banded.mtx', 33)));
    await expectShape(app, 33, 33);
  },
);

test(
  'opens a NumPy file',
  scheduled(
    'one page load for each kind of file',
    'src/io/numpy/npy.test.ts and the file that is opened through the picker',
  ),
  async ({ app }) => {
    await app.openFile(npy('weights.npy', 3, 5, [0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0, 4.5, 0]));
    await expectShape(app, 3, 5);
    await app.expectMatrix(/non-zeros\s*4/, /empty rows\s*1/);
  },
);

test(
  'adds entries that a file contains twice, and reports this',
  scheduled('one page load for each kind of file', 'src/io/opened-files.test.ts, which adds duplicate entries'),
  async ({ app }) => {
    await app.openFile(
      mtx('twice.mtx', 4, 4, [
        [0, 0, 1],
        [0, 0, 2],
        [3, 3, 1],
      ]),
    );
    await expectShape(app, 4, 4);
    await app.expectMatrix(/non-zeros\s*2/, /duplicate|twice|summed/i);
  },
);

/** Opens a broken file at step 1 of a story, and expects a message about it and the same screen. */
async function expectRejected(app: SparseScope, page: Page, file: TestFile, message: RegExp): Promise<void> {
  const weights = app.selection.getByRole('button', { name: /^Weights: / });
  const before = await weights.innerText();
  const words = await app.narration.textContent();
  await app.openFile(file);
  const alert = page.getByRole('alert');
  await expect(alert.getByRole('paragraph')).toHaveCount(1);
  await expect(alert).toContainText(message);
  await expect(weights).toHaveText(before, { useInnerText: true });
  await app.expectStep(1);
  await expect(app.narration).toHaveText(words ?? '');
  await alert.getByRole('button', { name: 'Dismiss' }).click();
  await expect(alert).toHaveCount(0);
}

for (const { file, message } of [
  { file: TRUNCATED_MTX, message: /truncated\.mtx.*2.*3|3.*2/ },
  { file: NO_MATRIX, message: /picture\.png/ },
]) {
  test(
    `the broken file ${file.name} gives one message, and the page stays unchanged`,
    scheduled(
      'one page load for each broken file',
      'src/io/broken-files.test.ts and the one that the first test of e2e/matrix.spec.ts opens',
    ),
    async ({ app, page }) => {
      await app.oneStep();
      await app.expectStep(1);
      await expectRejected(app, page, file, message);
    },
  );
}

test(
  'every example of the gallery opens',
  scheduled(
    'opens every example, seconds each',
    'src/io/gallery.test.ts reads them all, and every test that has an example in its address opens one',
  ),
  async ({ app, page }) => {
    const index = await page.request.get('./examples/index.json');
    const entries = (await index.json()) as readonly { readonly name: string }[];
    expect(entries.length).toBeGreaterThanOrEqual(6);
    for (const [i, { name }] of entries.entries()) {
      const matrixPicker = await app.openMatrixPicker();
      await matrixPicker.getByRole('button', { name: /^all \d+$/ }).click();
      await matrixPicker.getByRole('listitem').nth(i).getByRole('button').first().click();
      await expect(matrixPicker).toHaveCount(0);
      await expect(app.selection).toContainText(name);
      await expect(page.getByRole('progressbar')).toHaveCount(0);
      await app.ready();
      await expect(page.getByRole('alert')).toHaveCount(0);
    }
  },
);

test(
  'the gallery states the source of each matrix',
  scheduled(
    'one more page load',
    'src/io/gallery.test.ts, and e2e/matrix-picker.spec.ts for the contents of the matrix picker',
  ),
  async ({ app, page }) => {
    const dialog = await app.openMatrixPicker();
    await dialog.getByRole('button', { name: /^all \d+$/ }).click();
    const items = dialog.getByRole('listitem');
    const index = await page.request.get('./examples/index.json');
    const entries = (await index.json()) as readonly { readonly name: string; readonly provenance: string }[];
    await expect(items).toHaveCount(entries.length);
    for (const [i, { name, provenance }] of entries.entries()) {
      await expect(items.nth(i)).toContainText(name);
      await expect(items.nth(i)).toContainText(provenance);
    }
    await items.last().getByRole('button').click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
  },
);

test(
  'a wrong number in the form gives a message at its field, and no matrix is generated',
  scheduled('one more page load', 'src/kit/forms/forms.test.tsx'),
  async ({ app }) => {
    const dialog = await app.openMatrixPicker();
    await dialog.getByRole('button', { name: 'Generate…' }).click();
    const rows = dialog.getByRole('textbox', { name: 'rows' });
    await rows.fill('-3');
    await expect(rows).toHaveAttribute('aria-invalid', 'true');
    await expect(dialog.getByRole('alert')).toContainText('Found -3, expected a whole number from 0');
    await expect(dialog.getByRole('button', { name: 'Generate', exact: true })).toBeDisabled();
    await expect(rows).toHaveValue('-3');
  },
);

test(
  'matrices of extreme shapes are shown: no rows, one column, 65537 columns, no non-zeros',
  scheduled('five page loads', 'src/formats/contract/laws.test.ts and contract/story.test.ts, which have such shapes'),
  async ({ app, page }) => {
    for (const [shape, density] of [
      ['0x0', 0.5],
      ['1x1', 1],
      ['11x1', 0.5],
      ['3x65537', 0.001],
      ['7x96', 0],
    ] as const) {
      const [rows, cols] = shape.split('x').map(Number);
      // A fresh page for each: a change of the hash may race with the late update of the previous address.
      await page.goto('about:blank');
      await page.goto(`./#2/watch?src=generated:uniform&shape=${shape}&density=${density}&seed=3&a=macko&b=none`);
      await expect(app.selection).toContainText(
        new RegExp(`${String(rows)} × ${String(cols).replace(/(\d)(\d{3})$/, '$1\\s*$2')}`),
      );
      await expect(page.getByRole('alert')).toHaveCount(0);
      await expect(app.stage).toBeVisible();
    }
  },
);

test(
  'other parameters change the story and the bytes',
  scheduled(
    'one more page load',
    'src/kit/forms/forms.test.tsx, every parameter can be set, and the parameters that are a click away in e2e/this-matrix.spec.ts',
  ),
  async ({ app, page }) => {
    await expect(app.stage).toContainText('Valid: every element checked.');
    const before = await app.stage.innerText();
    await app.selection.getByRole('button', { name: /^A: / }).click();
    const formats = page.getByRole('dialog', { name: 'A', exact: true });
    await formats.getByRole('group', { name: 'delta bits' }).getByRole('radio', { name: '2', exact: true }).check();
    await expect(page).toHaveURL(/deltaBits=2/);
    await app.ready();
    await expect.poll(() => app.stage.innerText()).not.toBe(before);
    await formats
      .getByRole('group', { name: /values/ })
      .getByRole('radio', { name: 'f32' })
      .check();
    await expect(page).toHaveURL(/valueType=f32/);
    await expect(page.getByRole('alert')).toHaveCount(0);
  },
);

test(
  'Enter moves the window to the cursor, and the story changes to this window',
  scheduled('one of two ways to a window', 'src/kit/matrix/matrix-cursor.test.ts and src/state/window.test.ts'),
  async ({ app, page }) => {
    const matrixPicker = await app.openMatrixPicker();
    await page.getByRole('application', { name: 'Matrix cells' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ControlOrMeta+Home');
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await matrixPicker.getByRole('button', { name: /^Take / }).click();
    await expect(page).toHaveURL(/win=3,0,/);
    await app.expectStep(0);
  },
);

test(
  'for a matrix that shows little of a format, a link opens a better example, and another link leads back',
  scheduled(
    'three matrices are opened and encoded',
    'src/pages/watch/stage/MatrixFit.test.tsx and the way back in e2e/watch.spec.ts',
  ),
  async ({ app, page }) => {
    await app.open('#2/watch?src=example:digits-fc2-70&a=twell&b=none');
    await page.getByRole('button', { name: 'Show TwELL on sparse activations' }).click();
    await expect(app.selection).toContainText(/128 × 1.?024/);
    await expect(app.stage).not.toContainText('expected at most');
    await page.getByRole('button', { name: 'back to Digits, second layer, 30 % left' }).click();
    await expectShape(app, 512, 512);
    await expect(page.getByRole('button', { name: 'Show TwELL on sparse activations' })).toBeVisible();
  },
);

test(
  'a matrix of a model is shown before all of it is generated, and labelled as random weights',
  scheduled(
    'two page loads',
    'src/engine/matrix/random-weights.test.ts, and the first visit in e2e/start.spec.ts, whose weights stand in too',
  ),
  async ({ app, page }) => {
    await app.open('#2/watch?model=llama-3.1-8b&layer=12&matrix=down&prune=magnitude:0.5&a=macko&b=none');
    for (const name of ['Llama-3.1-8B', 'layer 12', 'down_proj']) await expect(app.selection).toContainText(name);
    await expectShape(app, '4\u202f096', '14\u202f336');
    await app.expectMatrix(/non-zeros\s*≈\s29\u202f360\u202f128left\s*≈\s50\s%/, 'Random weights replace Llama-3.1-8B');
    await expect(app.narration).toContainText('of 160 cells');
    // Nothing is encoded until the user requests it.
    await expect(app.stage.getByRole('button', { name: 'Encode in MACKO' })).toBeVisible();

    await app.open('#2/watch?model=llama-3.1-8b&layer=40&matrix=down&a=macko&b=none');
    await expect(page.getByRole('alert')).toContainText(
      'Layer of Llama-3.1-8B: found 40, expected a whole number from 0 to 31.',
    );
  },
);

test(
  'a small matrix of a model is encoded and measured like any other',
  scheduled(
    'compiles kernels on a software GPU',
    'src/engine/matrix/random-weights.test.ts, and e2e/benchmark.spec.ts for the run',
  ),
  async ({ app, page }) => {
    await app.openBenchmark('model=qwen2.5-0.5b&layer=0&matrix=k&prune=magnitude:0.5');
    await app.onlyFormats(/MACKO/);
    await app.run();
    await expect(page.getByRole('main')).toContainText('Qwen2.5-0.5B › layer 0 › k_proj, stand-in weights');
  },
);

// Accessibility of every page by axe-core.

import type { Page } from '@playwright/test';
import { expect, RUNS_ALL, scheduled, test } from './fixtures.ts';
import { axeViolationsInThemes, type Scheme } from './axe-violations.ts';

// `npm test` runs the first test only, and examines each of its states in one theme, light and dark alternately.
// `npm run test:all` runs all tests in both themes. Narrow pages are in access.spec.ts.
test.use({
  viewport: { width: 1440, height: 900 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
  hasRecordings: true,
});

const MATRIX = 'src=generated:uniform&shape=24x32&density=0.4&seed=1&a=macko&b=csr';

/** Number of states examined so far. */
let examinedStates = 0;
test.beforeEach(() => {
  examinedStates = 0;
});

/** The colour schemes for the next state. In `npm test` they alternate: a wrong colour token is wrong in both. */
function nextSchemes(): readonly Scheme[] {
  const schemes = ['light', 'dark'] as const;
  return RUNS_ALL ? schemes : [schemes[examinedStates++ % 2]];
}

/** Examines the page as it is now: its main part, the open dialog alone, or the elements that a selector matches. */
async function examine(page: Page, state: string, part = 'main'): Promise<void> {
  await test.step(state, async () => {
    // An outdated answer is dimmed, with too little contrast, until the new one is computed.
    await expect(page.locator('.answer-line[data-old]')).toHaveCount(0);
    const within = part === 'dialog' ? 'dialog, [role="dialog"]' : part;
    expect(await axeViolationsInThemes(page, { within }, nextSchemes()), state).toEqual([]);
  });
}

/** Examines the page with its details open; opens them if they are closed. */
async function examineWithDetails(page: Page, state: string): Promise<void> {
  const details = page.getByRole('main').getByRole('button', { name: 'details', exact: true });
  if ((await details.getAttribute('aria-expanded')) === 'false') await details.press('Enter');
  await expect(details).toHaveAttribute('aria-expanded', 'true');
  await examine(page, `${state} with its details open`);
}

test('Watch with its pickers and dialogs, Compare and Measure pass axe', async ({ app, page }) => {
  const dialog = page.getByRole('dialog');
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  };
  await app.firstVisit();
  await examine(page, 'the first visit', 'body');

  await app.go('#2/watch?b=none&moment=1');
  await app.ready();
  // By key: the layout above may still change, and a mouse press that begins and ends at different positions is not a click.
  await app.button('tables').press('Enter');
  await expect(app.details('tables').getByRole('table').first()).toBeVisible();
  await examine(page, 'a step of the story with its tables');

  for (const [state, key] of [
    ['the palette', 'ControlOrMeta+k'],
    ...(RUNS_ALL ? ([['the list of keys', '?']] as const) : []),
  ] as const) {
    await page.keyboard.press(key);
    await expect(dialog).toBeVisible();
    await examine(page, state, 'dialog');
    await close();
  }

  const matrixPicker = await app.openMatrixPicker();
  await examine(page, 'the matrix picker', 'dialog');
  // In the short run, check one panel of each kind: Generate (form fields) and format A (rows).
  for (const name of RUNS_ALL ? ([/^all \d/, 'Hugging Face…', 'Generate…'] as const) : (['Generate…'] as const)) {
    await matrixPicker.getByRole('button', { name }).click();
    await expect(matrixPicker.getByRole('button', { name: '‹ Back' })).toBeVisible();
    await examine(page, `the matrix picker’s panel ${String(name)}`, 'dialog');
    await matrixPicker.getByRole('button', { name: '‹ Back' }).click();
  }
  if (RUNS_ALL) {
    await matrixPicker.getByRole('searchbox').fill('llama');
    await expect(matrixPicker.getByRole('option').first()).toBeVisible();
    await examine(page, 'what a search finds', 'dialog');
  }
  await close();

  await app.openPruned();
  await page.getByRole('radio', { name: /^by magnitude in every row/ }).check();
  await expect(page.getByRole('slider', { name: 'Left' })).toBeVisible();
  await examine(page, 'the pruning picker', 'dialog');
  await close();
  for (const word of RUNS_ALL ? [/^A: /, /^Device: /] : [/^A: /]) {
    await app.selection.getByRole('button', { name: word }).click();
    await expect(dialog).toBeVisible();
    await examine(page, `the picker ${String(word)}`, 'dialog');
    await close();
  }
  if (RUNS_ALL) {
    await app.button('Export').click();
    await expect(dialog).toBeVisible();
    await examine(page, 'Export', 'dialog');
    await close();
  }

  await page.getByRole('application').focus();
  await page.keyboard.press('Enter');
  await expect(app.button('Undo all')).toBeVisible();
  await examine(page, 'cells that are edited');
  await page.keyboard.press('Escape');

  await app.go('#2/watch?a=nonsense&b=none');
  await expect(page.getByRole('alert')).toBeVisible();
  // In `npm test` only the alert is examined: the page around it was examined above.
  await examine(page, 'the message about a wrong address', RUNS_ALL ? 'body' : '[role="alert"]');

  await app.go(`#2/compare?${MATRIX}`);
  await expect(page.getByRole('img', { name: /^Bytes of this matrix/ })).toBeVisible();
  await examineWithDetails(page, 'Compare');
  await app.go(`#2/measure?${MATRIX}&x.fold=verified.kernels.settings.runs`);
  await expect(app.runButton).toBeEnabled();
  await examine(page, 'Measure');
});

test(
  'axe finds nothing in Compare, Measure and Code',
  scheduled(
    'axe takes seconds for each state of the page',
    'the first test of e2e/axe.spec.ts, which ends in Compare and Measure',
  ),
  async ({ app, page }) => {
    await page.goto(`./#2/compare?${MATRIX}`);
    await expect(page.getByRole('img', { name: /^Bytes of this matrix/ })).toBeVisible();
    await examineWithDetails(page, 'Compare about a matrix');

    await app.go('#2/compare?model=llama-3.1-8b&prune=magnitude:0.5&a=macko&b=dense&on=rtx-4090');
    await expect(page.getByRole('img', { name: /^Tokens per second of Llama-3\.1-8B/ })).toBeVisible();
    await examineWithDetails(page, 'Compare about a model');

    await app.go(`#2/measure?${MATRIX}&x.fold=verified.kernels.settings.runs`);
    await expect(app.runButton).toBeEnabled();
    await examine(page, 'Measure before a run');
    await page.getByRole('radio', { name: 'CPU' }).check();
    await page.getByRole('textbox', { name: 'rounds' }).fill('2');
    await app.run();
    await examine(page, 'Measure after a run');

    await app.go(`#2/code/csr/spmv_scalar?${MATRIX}`);
    await expect(page.getByRole('group', { name: 'csr/spmv_scalar.wgsl' })).toContainText('@compute');
    await examineWithDetails(page, 'a kernel that is read');
  },
);

test(
  'axe finds nothing in Learn and an embedded stage',
  scheduled(
    'axe takes seconds for each state of the page',
    'the other pages in e2e/axe.spec.ts, which consist of the same parts',
  ),
  async ({ app, page }) => {
    await page.goto('./#2/learn');
    await expect(page.getByRole('link', { name: /^Start: / })).toBeVisible();
    await examine(page, 'the list of lessons');
    await page.getByRole('button', { name: 'Make a question set' }).click();
    await expect(page.getByRole('dialog', { name: 'Make a question set' })).toBeVisible();
    await examine(page, 'a set of questions', 'dialog');
    await page.keyboard.press('Escape');

    await app.go('#2/learn/small-gaps?p=9');
    const question = page.locator('[data-paragraph="9"]');
    await question.getByRole('textbox', { name: /^you/ }).fill('2');
    await question.getByRole('button', { name: 'Check' }).click();
    await expect(question.getByRole('status')).toContainText('only the weights are stored');
    await examine(page, 'a lesson with an answer');

    // An embedded stage is another page.
    await page.goto('about:blank');
    await page.goto('./#2/embed?a=macko&moment=9');
    await expect(page.locator('.scene-view canvas').first()).toBeVisible();
    await examine(page, 'an embedded stage');
  },
);

// The part Memory of the page Code, in the built page.

import { clickAsSoonAsVisible } from '../../../e2e/at-once.ts';
import { expect, scheduled, test } from '../../../e2e/fixtures.ts';
import { axeViolations } from '../../../e2e/axe-violations.ts';

const SOURCE = 'src=generated:uniform&shape=96x512&density=0.3&seed=1';

test(
  'the loads of a kernel are shown by array, subgroup and load, which are in the address',
  scheduled(
    'a kernel is compiled on a GPU in software',
    'labs/workbench/page/service/drafts/trace-memory.gpu.test.ts and labs/workbench/page/memory/memory.test.ts',
  ),
  async ({ page }) => {
    await page.goto(`./#2/code/csr/spmv_scalar?${SOURCE}&b=none`);
    await page.getByRole('button', { name: 'Memory', exact: true }).click();
    await expect(page).toHaveURL(/part=memory/);
    await expect(page.getByRole('main').getByRole('button', { name: 'Code', exact: true })).toBeFocused();
    // A software adapter compiles nothing by itself, and the page reports it.
    await expect(
      page.getByRole('heading', { level: 2, name: /^On a software adapter, watching csr\/spmv_scalar takes minutes/ }),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Watch it' }).click();
    await expect(
      page.getByRole('heading', { level: 2, name: /^Workgroup 0: its loads of x touch [\d.]+ lines of 128 bytes/ }),
    ).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('region', { name: 'Loads of x' }).getByText(/^Load 1:/)).toBeVisible();

    await page.getByRole('combobox', { name: 'Loads of' }).selectOption('values');
    await expect(
      page.getByRole('heading', { level: 2, name: /^Workgroup 0: its loads of values touch/ }),
    ).toBeVisible();
    const loadsOfValues = page.getByRole('region', { name: 'Loads of values' });
    await page.getByRole('slider', { name: 'Load', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL(/x\.load=2/);
    await expect(page).toHaveURL(/x\.array=values/);
    await expect(loadsOfValues.getByText(/^Load 2:/)).toBeVisible();
    await loadsOfValues.locator('.chart-table > summary').click();
    await expect(loadsOfValues.getByRole('table').getByRole('row').nth(2)).toBeVisible();

    await page.getByRole('main').getByRole('button', { name: 'Code', exact: true }).click();
    await expect(page.getByRole('group', { name: 'csr/spmv_scalar.wgsl' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Memory', exact: true })).toBeFocused();
  },
);

test(
  'the picture of loads fits on a phone in dark colours, and passes axe with its table',
  scheduled(
    'the same page in other colours and another width, and axe needs seconds',
    'e2e/axe.spec.ts, on other pages, and labs/workbench/page/memory/memory.test.ts',
  ),
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`./#2/code/csr/spmv_scalar?${SOURCE}&b=none&part=memory&x.array=indices`);
    await page.getByRole('button', { name: 'Watch it' }).click();
    const loadsOfIndices = page.getByRole('region', { name: 'Loads of indices' });
    await loadsOfIndices.locator('.chart-table > summary').click({ timeout: 60_000 });
    await expect(loadsOfIndices.getByRole('table')).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await axeViolations(page)).toEqual([]);
  },
);

test(
  'the loads of one workgroup of a kernel or a draft are recorded on request',
  scheduled(
    'compiles kernels on a software GPU',
    'labs/workbench/page/service/drafts/trace-memory.gpu.test.ts and labs/workbench/page/memory/memory.test.ts',
  ),
  async ({ page }) => {
    await page.goto(`./#2/code/dense/spmv_workgroup?${SOURCE}&b=none`);
    await page.getByRole('button', { name: 'Memory', exact: true }).click();
    await expect(page).toHaveURL(/part=memory/);
    const loadsHeading = page.getByRole('heading', {
      level: 2,
      name: /^Workgroup \d: its loads of x touch [\d.]+ lines/,
    });
    // A software adapter compiles nothing by itself.
    await page.getByRole('button', { name: 'Watch it' }).click();
    await expect(loadsHeading).toBeVisible({ timeout: 120_000 });
    await expect(page.getByText(/^A copy of the kernel notes/)).toBeVisible();
    await expect(page.getByRole('rowheader', { name: 'x', exact: true })).toBeVisible();
    const loadsOfX = page.getByRole('region', { name: 'Loads of x' });
    await expect(loadsOfX.getByText(/^Load 1:/)).toBeVisible();
    await page.getByRole('slider', { name: 'Load', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL(/x\.load=2/);
    await expect(loadsOfX.getByText(/^Load 2:/)).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);

    // Nothing is watched twice, and another workgroup is another run.
    await page.getByRole('main').getByRole('button', { name: 'Code', exact: true }).click();
    await page.getByRole('button', { name: 'Memory', exact: true }).click();
    await expect(loadsHeading).toBeVisible();
    await page.getByRole('textbox', { name: /^Workgroup, 0 to/ }).fill('1');
    await expect(page).toHaveURL(/x\.workgroup=1/);
    await expect(page.getByRole('button', { name: 'Watch it' })).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Code', exact: true }).click();

    await page.getByRole('button', { name: 'Edit a copy' }).click();
    await page.getByRole('textbox', { name: 'WORKGROUP_SIZE' }).fill('128');
    await page.getByRole('button', { name: 'Memory', exact: true }).click();
    await page.getByRole('button', { name: 'Watch it' }).click();
    await expect(page.getByText(/^draft 1 of dense\/spmv_workgroup/)).toBeVisible();
    await expect(loadsHeading).toBeVisible({ timeout: 120_000 });
  },
);

test(
  'recording loads can be cancelled, and a compiler error of a draft names its line',
  scheduled(
    'compiles a kernel on a software GPU for many seconds',
    'labs/workbench/page/service/drafts/trace-memory.gpu.test.ts and labs/workbench/page/drafts/draft-problem.test.ts',
  ),
  async ({ page }) => {
    // A software adapter compiles this copy for a long time.
    await page.goto(`./#2/code/dense/gemm?${SOURCE}&b=none&part=memory`);
    const watching = 'progress[aria-label="Watching workgroup 0 of dense/gemm"]';
    const cancelled = clickAsSoonAsVisible(page, /^cancel$/, `body:has(${watching})`);
    await page.getByRole('button', { name: 'Watch it' }).click();
    await cancelled;
    await expect(page.getByRole('alert')).toHaveText('Watching was cancelled.');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();

    await page.goto(`./#2/code/csr/spmv_scalar?${SOURCE}&b=none&csr.indexBits=32`);
    await page.getByRole('button', { name: 'Edit a copy' }).click();
    const editor = page.getByRole('textbox', { name: /^csr\/spmv_scalar\.wgsl/ });
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('nothing ');
    await page.getByRole('button', { name: 'Memory', exact: true }).click();
    await page.getByRole('button', { name: 'Watch it' }).click();
    await expect(page.getByRole('alert')).toHaveText(
      /^The draft of csr\/spmv_scalar does not compile: csr\/spmv_scalar\.wgsl, line 1: /,
    );
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  },
);

test(
  'without a GPU no loads are recorded, and a message states the reason',
  scheduled(
    'changes the 1.5 MB of the worker on their way',
    'labs/workbench/page/memory/memory.test.ts, and e2e/benchmark.spec.ts, which has a page without a GPU',
  ),
  async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'gpu'));
    await page.route('**/assets/*worker*.js', async (route) => {
      const response = await route.fetch();
      const body = `Reflect.deleteProperty(WorkerNavigator.prototype, 'gpu');\n${await response.text()}`;
      await route.fulfill({ response, body });
    });
    await page.goto(`./#2/code/dense/spmv_workgroup?${SOURCE}&b=none&part=memory`);
    await expect(
      page.getByRole('heading', {
        level: 2,
        name: /^Loads of dense\/spmv_workgroup need a GPU: .+\.$/,
      }),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Watch it' })).toBeHidden();
  },
);

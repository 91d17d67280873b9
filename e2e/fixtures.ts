// Fixtures of the end-to-end tests: `test` with the page object `app`, and checks that no page logs errors or leaves its origin.

import {
  type Browser,
  type ConsoleMessage,
  test as base,
  expect,
  type Locator,
  type Page,
  type TestDetails,
} from '@playwright/test';
import type { TestFile } from './files.ts';

export { expect } from '@playwright/test';

/** Whether every test runs with all of its cases (npm run test:all) instead of those of `npm test`. */
export const RUNS_ALL = process.env.TEST_ALL === '1';

/**
 * Details of a test that `npm test` leaves out and `npm run test:all` runs: `test('title', scheduled('...', '...'), body)`.
 *
 * @param why it does not run every time, as a string: `npm run test:all -- --list` prints it
 * @param foundBy what finds its faults in `npm test`, as a string
 */
export const scheduled = (why: string, foundBy: string): TestDetails => ({
  tag: '@scheduled',
  annotation: { type: 'scheduled', description: `${why}; its faults are found by ${foundBy}` },
});

/** Titles of the formats, in the order of the registry. */
export const FORMATS = [
  'dense',
  'CSR',
  'BSR',
  'ELL',
  'bitmask',
  'MACKO',
  'EC-SpMV',
  'TwELL',
  'hybrid',
  'SlideSparse',
] as const;

/** The id of a format: its title in lower case; EC-SpMV is the method whose format is EC-CSR. */
export const formatId = (title: string): string => (title === 'EC-SpMV' ? 'ec-csr' : title.toLowerCase());

/** Page object: actions of a user, with elements located by role and text where possible. */
export class SparseScope {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /**
   * Opens the page at an address, and waits until the story is ready to play, by every step unless the test is about
   * frames; without an address it is the first example with MACKO alone. See also `firstVisit`.
   */
  async open(hash = '#2/watch?b=none', { byFrames = false } = {}): Promise<void> {
    // A change of the hash alone would not load the page again.
    if (this.page.url() !== 'about:blank') await this.page.goto('about:blank');
    await this.page.goto(`./${hash}`);
    await this.ready();
    if (!byFrames) await this.everyStep();
  }

  /**
   * Shows an address in the open page, in a third of the time of loading it. It visits another page of the app first, so
   * that a test cannot mistake earlier contents for the new ones.
   */
  async go(hash: string): Promise<void> {
    if (this.page.url() === 'about:blank') return void (await this.page.goto(`./${hash}`));
    for (const to of [hash.startsWith('#2/learn') ? '#2/compare' : '#2/learn', hash]) {
      await this.page.evaluate(
        (next) =>
          new Promise<void>((follow) => {
            if (location.hash === next) return follow();
            addEventListener('hashchange', () => requestAnimationFrame(() => requestAnimationFrame(() => follow())), {
              once: true,
            });
            location.hash = next;
          }),
        to,
      );
      await expect(this.page.locator('#content:not([aria-busy="true"])')).toBeVisible();
    }
  }

  /** Opens the page as on a first visit. */
  async firstVisit(): Promise<Locator> {
    await this.page.goto('about:blank');
    await this.page.goto('./');
    const region = this.page.getByRole('region', { name: 'At first sight' });
    await expect(region.getByRole('link', { name: 'Watch how' })).toBeVisible();
    // The keys of the selection bar do nothing until it has loaded.
    await expect(this.page.getByRole('region', { name: 'Selection' }).getByRole('button').first()).toBeVisible();
    return region;
  }

  /** Switches Watch from frames to every step. */
  async everyStep(): Promise<void> {
    if (await this.page.getByRole('group', { name: 'Frames' }).isVisible()) await this.page.keyboard.press('e');
    await expect(this.slider).toBeVisible();
  }

  /** Opens Measure for a matrix, with its details sections open, and waits until it can run. */
  async openBenchmark(source = 'src=generated:uniform&shape=96x128&density=0.3&seed=1', a = 'macko'): Promise<void> {
    await this.page.goto('about:blank');
    await this.page.goto(`./#2/measure?${source}&a=${a}&x.fold=verified.kernels.settings.runs`);
    await expect(this.runButton).toBeEnabled();
    await expect(this.page.getByRole('group', { name: 'Kernels' })).toBeVisible();
    // Two rounds save time: a software GPU is slow.
    await this.page.getByRole('textbox', { name: 'rounds' }).fill('2');
  }

  /** The section of Measure that lists every kernel of a run. */
  get kernels(): Locator {
    return this.page.getByRole('region', { name: 'all kernels tried' });
  }

  /** Makes later runs include every format, not A and B alone. */
  async allFormats(): Promise<void> {
    await this.page.getByRole('button', { name: 'all formats', exact: true }).click();
  }

  /** Checks the formats whose label matches, and unchecks all others that can be changed (dense, the reference, cannot). */
  async onlyFormats(names: RegExp): Promise<void> {
    for (const checkbox of await this.page.getByRole('group', { name: 'Kernels' }).getByRole('checkbox').all()) {
      if (!(await checkbox.isEnabled())) continue;
      const label = (await checkbox.evaluate((box) => (box as HTMLInputElement).labels?.[0]?.textContent)) ?? '';
      await checkbox.setChecked(names.test(label));
    }
  }

  /** The button that measures A and B; after a run its label is "Run again on ...". */
  get runButton(): Locator {
    return this.page
      .getByRole('region', { name: 'Run', exact: true })
      .getByRole('button', { name: /^Run( again)? on / });
  }

  /** The list items of runs in this browser, without the recorded run, which is listed until the first of them. */
  get runs(): Locator {
    const listed = this.page.getByRole('region', { name: 'Runs' }).getByRole('listitem');
    return listed.filter({ hasNotText: /, recorded$/ });
  }

  /** Runs the selected formats and waits for the result. */
  async run(): Promise<void> {
    const before = await this.runs.count();
    await this.runButton.click();
    await expect(this.runs).toHaveCount(before + 1, { timeout: 120_000 });
    await this.runEnds();
  }

  /** Waits until a run has ended; its result grows until then. */
  async runEnds(timeout = 120_000): Promise<void> {
    await expect(this.kernels.locator('.bench-result')).toHaveAttribute('aria-busy', 'false', { timeout });
    await expect(this.kernels.getByRole('table').first()).toBeVisible();
  }

  /** Waits for the story of the chosen format; until then keys step through the previous one. */
  async ready(): Promise<void> {
    await expect(this.stage).toHaveAttribute('aria-busy', 'false');
    const steps = this.page.locator('[role="slider"][aria-label="Step"]:not([aria-valuemax="0"])');
    await expect(steps.or(this.page.getByRole('button', { name: /^Frame 1, / })).first()).toBeVisible();
    await expect(this.narration).not.toBeEmpty();
  }

  /** The region of Watch with the answer, the picture and the details sections. */
  get stage(): Locator {
    return this.page.getByRole('region', { name: 'Stage', exact: true });
  }

  /** A details section below the picture. The fixture `details` sets which are open. */
  details(name: 'bytes by purpose' | 'this step in the encoder' | 'tables'): Locator {
    return this.stage.getByRole('region', { name, exact: true });
  }

  /** The selection bar below the header: weights, pruning, A and B. */
  get selection(): Locator {
    return this.page.getByRole('region', { name: 'Selection' });
  }

  /** Opens the matrix picker, expects each text in its description of the open matrix, and closes it. */
  async expectMatrix(...texts: readonly (string | RegExp)[]): Promise<void> {
    const matrixPicker = await this.openMatrixPicker();
    for (const text of texts) {
      await expect(matrixPicker.getByRole('region', { name: 'The open matrix' })).toContainText(text);
    }
    await this.page.keyboard.press('Escape');
    await expect(matrixPicker).toHaveCount(0);
  }

  /** Opens the selection bar's dialog for pruning. */
  async openPruned(): Promise<Locator> {
    await this.selection.getByRole('button', { name: /^Pruned to: / }).click();
    const pruned = this.page.getByRole('dialog', { name: 'Pruned to' });
    await expect(pruned).toBeVisible();
    return pruned;
  }

  /** Opens an example that the matrix picker lists first. */
  async openExample(title: string): Promise<void> {
    const matrixPicker = await this.openMatrixPicker();
    await matrixPicker.getByRole('button', { name: title }).click();
    await expect(matrixPicker).toHaveCount(0);
  }

  get slider(): Locator {
    return this.page.getByRole('slider', { name: 'Step' });
  }

  /** 'frame 3 of 10' or 'step 7 of 130' */
  get count(): Locator {
    return this.page.getByRole('region', { name: 'Player' }).locator('.player-count');
  }

  get narration(): Locator {
    return this.stage.locator('p[aria-live="polite"]');
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** A link by its name: to a page of the app, or elsewhere. */
  link(name: string | RegExp): Locator {
    return this.page.getByRole('link', { name, exact: typeof name === 'string' });
  }

  /** Opens the current address with another format as A, without parameters of the previous format. */
  async chooseFormat(name: string): Promise<void> {
    const [place, keys = ''] = new URL(this.page.url()).hash.split('?');
    const others = keys.split('&').filter((key) => !/^(?:a[.=]|moment=|frame=)/.test(key));
    // Stay in "every step" mode, which the address may not contain yet.
    const start = (await this.slider.isVisible()) ? ['moment=0'] : [];
    const hash = `${place}?${[`a=${formatId(name)}`, ...others, ...start].join('&')}`;
    await this.page.evaluate((to) => {
      location.hash = to;
    }, hash);
  }

  async expectFormat(name: string): Promise<void> {
    await expect(this.selection.getByRole('button', { name: /^A:/ })).toContainText(name);
  }

  /** Goes forward by exactly one step (the button and the arrow key go to the end of a row or list). */
  async oneStep(): Promise<void> {
    await this.page.keyboard.press('Shift+ArrowRight');
  }

  /** The current step of the story. */
  async step(): Promise<number> {
    return Number(await this.slider.getAttribute('aria-valuenow'));
  }

  async stepCount(): Promise<number> {
    return Number(await this.slider.getAttribute('aria-valuemax'));
  }

  /** Waits for the page's fonts: text in a fallback font may be wider and change the layout. */
  async fontsLoaded(): Promise<void> {
    await this.page.evaluate(() => document.fonts.ready.then(() => undefined));
  }

  /** The address once it contains `part`: it is updated a moment later. */
  async addressWith(part: string): Promise<string> {
    await expect.poll(() => new URL(this.page.url()).hash).toContain(part);
    return new URL(this.page.url()).hash;
  }

  async expectStep(step: number): Promise<void> {
    await expect(this.slider).toHaveAttribute('aria-valuenow', String(step));
  }

  /** Opens the matrix picker from the selection bar. */
  async openMatrixPicker(): Promise<Locator> {
    await this.selection.getByRole('button', { name: /^Weights: / }).click();
    const matrixPicker = this.page.getByRole('dialog', { name: 'Weights' });
    await expect(matrixPicker.getByRole('searchbox')).toBeFocused();
    return matrixPicker;
  }

  /** Opens a file, in memory or by its path, through the system's picker. */
  async openFile(file: TestFile | string): Promise<void> {
    const fileChooser = this.page.waitForEvent('filechooser');
    await this.page.keyboard.press('ControlOrMeta+o');
    await (await fileChooser).setFiles(typeof file === 'string' ? file : { ...file });
  }

  /** Drops a file on the page. */
  async dropFile(file: TestFile): Promise<void> {
    const data = await this.page.evaluateHandle(
      ({ name, bytes }) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(bytes)], name));
        return transfer;
      },
      { name: file.name, bytes: [...file.buffer] },
    );
    const target = this.page.locator('body');
    await target.dispatchEvent('dragover', { dataTransfer: data });
    await target.dispatchEvent('drop', { dataTransfer: data });
  }
}

/** The value of `src` in the page's address: the cells of a typed matrix, as 'cells:0:1;2:2,1:3'. */
export async function cellsIn(page: Page): Promise<string | null> {
  return page.evaluate(() => new URLSearchParams(location.hash.split('?')[1]).get('src'));
}

/** A page in a new browser context, without stored data, at the address of a link. `close` ends the context. */
export async function openInFreshBrowser(
  browser: Browser,
  link: string,
): Promise<{ page: Page; close: () => Promise<void> }> {
  const context = await browser.newContext({ serviceWorkers: 'block', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(link);
  return { page, close: () => context.close() };
}

interface Fixtures {
  readonly app: SparseScope;
  /** whether the test provokes errors on purpose, so that `faultless` does not fail it */
  readonly bringsFaults: boolean;
  /** ids of the details sections of Watch that are open, separated by spaces */
  readonly details: string;
  /** whether the idle page loads code ahead, which takes as long as the first screen; otherwise code loads on demand */
  readonly loadsAhead: boolean;
  /** whether the page has the recorded measurements; without, a test does not depend on which ones exist */
  readonly hasRecordings: boolean;
  /** violations of the page's security policy; a test that provokes some empties the list */
  readonly violations: string[];
  /** fails the test if the page threw, logged an error, or requested something missing or foreign */
  readonly faultless: undefined;
}

export const test = base.extend<Fixtures>({
  app: async ({ page }, run) => {
    await run(new SparseScope(page));
  },
  bringsFaults: [false, { option: true }],
  details: ['bytes step', { option: true }],
  loadsAhead: [false, { option: true }],
  hasRecordings: [false, { option: true }],
  violations: async ({ page }, run) => {
    const violations: string[] = [];
    await page.exposeFunction('reportViolation', (violation: string) => violations.push(violation));
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        (Reflect.get(window, 'reportViolation') as (violation: string) => void)(`${effectiveDirective}: ${blockedURI}`);
      });
    });
    await run(violations);
  },
  faultless: [
    async ({ page, baseURL, bringsFaults, details, loadsAhead, hasRecordings, violations }, run) => {
      await page.addInitScript((open) => {
        try {
          if (localStorage.getItem('sparsescope.folds') === null) localStorage.setItem('sparsescope.folds', open);
        } catch {
          // Pages without an origin, and frames in a page of another site, have no storage.
        }
      }, details);
      if (!loadsAhead) {
        await page.addInitScript(() => {
          // As if the user has set the browser to save data: the page then loads nothing ahead.
          const connection: unknown = Reflect.get(navigator, 'connection');
          if (connection instanceof Object) Object.defineProperty(connection, 'saveData', { value: true });
        });
      }
      if (!hasRecordings) {
        await page.addInitScript(() => {
          const load = window.fetch.bind(window);
          window.fetch = async (input, options) =>
            String(input instanceof Request ? input.url : input).endsWith('/recordings/index.json')
              ? Response.json({ schema: 1, recordings: [] })
              : load(input, options);
        });
      }
      // Keeps a listener all the time: the browser asks the test instead of the system only shortly after the first
      // listener was added, and a key that is pressed before opens nothing.
      page.on('filechooser', () => undefined);
      const faults: string[] = [];
      const origin = new URL(baseURL ?? '').origin;
      // The browser requests the icon at any time, even while a test has disabled the network, and /favicon.ico of a page
      // that names no icon.
      const isIcon = (url: string): boolean => /\/favicon\.(?:svg|ico)$/.test(url);
      page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
      page.on('console', (message: ConsoleMessage) => {
        if (message.type() === 'error' && !isIcon(message.location().url)) faults.push(`logged: ${message.text()}`);
      });
      page.on('requestfailed', (request) => {
        // The browser cancels pending loads when the page is left.
        if (request.failure()?.errorText !== 'net::ERR_ABORTED' && !isIcon(request.url()))
          faults.push(`failed: ${request.url()}`);
      });
      page.on('response', (response) => {
        if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
      });
      page.on('request', (request) => {
        const { protocol, origin: requested } = new URL(request.url());
        const local = protocol === 'blob:' || protocol === 'data:' || protocol === 'about:';
        if (!local && requested !== origin && new URL(requested).hostname !== '127.0.0.1')
          faults.push(`left the origin: ${request.url()}`);
      });
      await run(undefined);
      if (!bringsFaults) expect(faults).toEqual([]);
      expect(violations).toEqual([]);
    },
    { auto: true },
  ],
});

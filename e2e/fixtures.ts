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

/** By title, in the order of the registry. */
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

/** The id of a format: its title in small letters, but for the one whose paper has another name than its data structure. */
export const formatId = (title: string): string => (title === 'EC-SpMV' ? 'ec-csr' : title.toLowerCase());

/** The page as a person sees it: located by its words, not by its classes. */
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
   * Shows an address in the open page, which takes a third of what loading it takes. By another place: nothing of what was
   * shown before is left to be taken for it.
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
    // Before the sentence is there, its keys do nothing.
    await expect(this.page.getByRole('region', { name: 'Selection' }).getByRole('button').first()).toBeVisible();
    return region;
  }

  /** Watch goes by every step. */
  async everyStep(): Promise<void> {
    if (await this.page.getByRole('group', { name: 'Frames' }).isVisible()) await this.page.keyboard.press('e');
    await expect(this.slider).toBeVisible();
  }

  /** Opens Measure for a matrix, with the folds that these tests are about, and waits until it can run. */
  async openBenchmark(source = 'src=generated:uniform&shape=96x128&density=0.3&seed=1', a = 'macko'): Promise<void> {
    await this.page.goto('about:blank');
    await this.page.goto(`./#2/measure?${source}&a=${a}&x.fold=verified.kernels.settings.runs`);
    await expect(this.runButton).toBeEnabled();
    await expect(this.page.getByRole('group', { name: 'Kernels' })).toBeVisible();
    // Each round on a GPU in software takes a while.
    await this.page.getByRole('textbox', { name: 'rounds' }).fill('2');
  }

  /** Every kernel of a run, on Measure. */
  get kernels(): Locator {
    return this.page.getByRole('region', { name: 'all kernels tried' });
  }

  /** Runs will have every format, not A and B alone. */
  async allFormats(): Promise<void> {
    await this.page.getByRole('button', { name: 'all formats', exact: true }).click();
  }

  /** Runs will have these formats, those that refuse the matrix, and dense, which all are compared with. */
  async onlyFormats(names: RegExp): Promise<void> {
    for (const checkbox of await this.page.getByRole('group', { name: 'Kernels' }).getByRole('checkbox').all()) {
      if (!(await checkbox.isEnabled())) continue;
      const label = (await checkbox.evaluate((box) => (box as HTMLInputElement).labels?.[0]?.textContent)) ?? '';
      await checkbox.setChecked(names.test(label));
    }
  }

  /** The button that runs A against B, which says Run again where that was done. */
  get runButton(): Locator {
    return this.page
      .getByRole('region', { name: 'Run', exact: true })
      .getByRole('button', { name: /^Run( again)? on / });
  }

  /** The runs of this browser: the recorded one is listed only while nothing was run on this device. */
  get runs(): Locator {
    const listed = this.page.getByRole('region', { name: 'Runs' }).getByRole('listitem');
    return listed.filter({ hasNotText: /, recorded$/ });
  }

  /** Runs the current choice and waits for the result. */
  async run(): Promise<void> {
    const before = await this.runs.count();
    await this.runButton.click();
    await expect(this.runs).toHaveCount(before + 1, { timeout: 120_000 });
    await this.runEnds();
  }

  /** Waits until the first run has ended: until then its result grows. */
  async runEnds(timeout = 120_000): Promise<void> {
    await expect(this.kernels.locator('.bench-result')).toHaveAttribute('aria-busy', 'false', { timeout });
    await expect(this.kernels.getByRole('table').first()).toBeVisible();
  }

  /** Waits until the story on the stage is that of the chosen format: until then keys step through the previous one. */
  async ready(): Promise<void> {
    await expect(this.stage).toHaveAttribute('aria-busy', 'false');
    const steps = this.page.locator('[role="slider"][aria-label="Step"]:not([aria-valuemax="0"])');
    await expect(steps.or(this.page.getByRole('button', { name: /^Frame 1, / })).first()).toBeVisible();
    await expect(this.narration).not.toBeEmpty();
  }

  /** The answer, the picture and the folds below it. */
  get stage(): Locator {
    return this.page.getByRole('region', { name: 'Stage', exact: true });
  }

  /** A fold below the picture; all are open but in tests of the page as it is at first. */
  details(name: 'bytes by purpose' | 'this step in the encoder' | 'tables'): Locator {
    return this.stage.getByRole('region', { name, exact: true });
  }

  /** The sentence under the header. */
  get selection(): Locator {
    return this.page.getByRole('region', { name: 'Selection' });
  }

  /** Opens the chooser, waits until it says each of these of the open matrix, and closes it. */
  async expectMatrix(...texts: readonly (string | RegExp)[]): Promise<void> {
    const matrixPicker = await this.openMatrixPicker();
    for (const words of texts) {
      await expect(matrixPicker.getByRole('region', { name: 'The open matrix' })).toContainText(words);
    }
    await this.page.keyboard.press('Escape');
    await expect(matrixPicker).toHaveCount(0);
  }

  /** Opens the second word of the sentence: what is left of the matrix. */
  async openPruned(): Promise<Locator> {
    await this.selection.getByRole('button', { name: /^Pruned to: / }).click();
    const pruned = this.page.getByRole('dialog', { name: 'Pruned to' });
    await expect(pruned).toBeVisible();
    return pruned;
  }

  /** Opens an example of those that the chooser shows first. */
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

  /** A place, or a way on. */
  link(name: string | RegExp): Locator {
    return this.page.getByRole('link', { name, exact: typeof name === 'string' });
  }

  /** Opens the address of now with another format as A. */
  async chooseFormat(name: string): Promise<void> {
    const [place, keys = ''] = new URL(this.page.url()).hash.split('?');
    const others = keys.split('&').filter((key) => !/^(?:a[.=]|moment=|frame=)/.test(key));
    // By every step as before, which the address may not say yet.
    const start = (await this.slider.isVisible()) ? ['moment=0'] : [];
    const hash = `${place}?${[`a=${formatId(name)}`, ...others, ...start].join('&')}`;
    await this.page.evaluate((to) => {
      location.hash = to;
    }, hash);
  }

  async expectFormat(name: string): Promise<void> {
    await expect(this.selection.getByRole('button', { name: /^A:/ })).toContainText(name);
  }

  /** Goes one step forward, not to the end of the row or list, where the button and the arrow key go. */
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

  /** Waits for the page's fonts: words in a fallback font may be wider, and move their neighbours. */
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

  /** Opens the chooser of the matrix, the first word of the sentence. */
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

/** The cells in the address of the page: 'cells:0:1;2:2,1:3'. */
export async function cellsIn(page: Page): Promise<string | null> {
  return page.evaluate(() => new URLSearchParams(location.hash.split('?')[1]).get('src'));
}

/** What a link shows in a browser that has never been here. */
export async function openedFresh(browser: Browser, link: string): Promise<{ page: Page; close: () => Promise<void> }> {
  const context = await browser.newContext({ serviceWorkers: 'block', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(link);
  return { page, close: () => context.close() };
}

interface Fixtures {
  readonly app: SparseScope;
  /** the test provokes the errors that `faultless` looks for */
  readonly bringsFaults: boolean;
  /** the folds of Watch that are open */
  readonly details: string;
  /** once the page is idle it loads what may be shown later, which costs as much as the first screen; without, on demand */
  readonly loadsAhead: boolean;
  /** the page comes with recordings: elsewhere nothing depends on which ones there are */
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
        // Pages without an origin have no storage.
        if (location.protocol.startsWith('http') && localStorage.getItem('sparsescope.folds') === null)
          localStorage.setItem('sparsescope.folds', open);
      }, details);
      if (!loadsAhead) {
        await page.addInitScript(() => {
          // What the browser says if a person has asked it to save data.
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
      // The browser requests the icon at any time, even while a test has disabled the network.
      const isIcon = (url: string): boolean => url.endsWith('/favicon.svg');
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

import { type ConsoleMessage, test as base, expect, type Locator, type Page } from '@playwright/test';
import type { TestFile } from './files.ts';

export { expect } from '@playwright/test';

/** The page as a person sees it: by the words on it, not by its classes. */
export class SparseScope {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the page at a state of its own, '' for the first screen, and waits until the story is ready to play. */
  async open(hash = ''): Promise<void> {
    // A change of the hash alone would not load the page again.
    await this.page.goto('about:blank');
    await this.page.goto(`./${hash}`);
    await this.ready();
  }

  /** Opens the benchmark for a matrix of its own, and waits until it can run. */
  async openBenchmark(source = 'src=generated:uniform&shape=96x128&density=0.3&seed=1'): Promise<void> {
    await this.page.goto('about:blank');
    await this.page.goto(`./#1/benchmark?${source}&fmt=macko`);
    await expect(this.runButton).toBeEnabled();
  }

  /** The one on the benchmark page, which says Run before the first run and Run again after it. */
  get runButton(): Locator {
    return this.page
      .getByRole('region', { name: 'Run', exact: true })
      .getByRole('button', { name: /^Run( again)? (Ctrl|⌘)/ });
  }

  /** Runs what is chosen and waits for the result. */
  async run(): Promise<void> {
    await this.runButton.click();
    await expect(this.runButton).toHaveText(/^Run again/, { timeout: 120_000 });
    await expect(this.page.getByRole('main').getByRole('table').first()).toBeVisible();
  }

  /** Waits until the first run has ended: until then its result grows. */
  async runEnds(timeout = 60_000): Promise<void> {
    await expect(this.runButton).toHaveText(/^Run again/, { timeout });
  }

  async ready(): Promise<void> {
    await expect(this.slider).not.toHaveAttribute('aria-valuemax', '0');
    await expect(this.narration).not.toBeEmpty();
  }

  /** The panel with the matrix, its figures and the format's parameters. */
  get matrix(): Locator {
    return this.page.getByRole('complementary', { name: 'Matrix' });
  }

  /** The panel with bytes, curve, line of code and what is under the pointer. */
  get inspector(): Locator {
    return this.page.getByRole('complementary', { name: 'Inspector' });
  }

  get slider(): Locator {
    return this.page.getByRole('slider', { name: 'Step' });
  }

  get narration(): Locator {
    return this.page.getByRole('tabpanel').locator('[aria-live="polite"]');
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  formatTab(name: string): Locator {
    return this.page.getByRole('tab', { name, exact: true });
  }

  /** Where the story stands. */
  async step(): Promise<number> {
    return Number(await this.slider.getAttribute('aria-valuenow'));
  }

  async stepCount(): Promise<number> {
    return Number(await this.slider.getAttribute('aria-valuemax'));
  }

  /** Waits for the faces of the page: words in another one may be wider, and move what stands beside them. */
  async fontsLoaded(): Promise<void> {
    await this.page.evaluate(() => document.fonts.ready.then(() => undefined));
  }

  /** The address once it says `part`: it is written a moment after what it is about. */
  async addressWith(part: string): Promise<string> {
    await expect.poll(() => new URL(this.page.url()).hash).toContain(part);
    return new URL(this.page.url()).hash;
  }

  async expectStep(step: number): Promise<void> {
    await expect(this.slider).toHaveAttribute('aria-valuenow', String(step));
  }

  /** Opens a file, one that is made here or the path of one on the disk, through the system's picker. */
  async openFile(file: TestFile | string): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser');
    await this.page.keyboard.press('ControlOrMeta+o');
    await (await chooser).setFiles(typeof file === 'string' ? file : { ...file });
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

interface Fixtures {
  readonly app: SparseScope;
  /** the test brings about what `faultless` looks for */
  readonly bringsFaults: boolean;
  /** the browser has never seen the page, which then says what it is */
  readonly isFirstVisit: boolean;
  /** what the page's security policy has refused; a test that means it to empties the list */
  readonly violations: string[];
  /** fails the test when the page threw, logged an error, or asked for something that was not there or elsewhere */
  readonly faultless: undefined;
}

export const test = base.extend<Fixtures>({
  app: async ({ page }, run) => {
    await run(new SparseScope(page));
  },
  bringsFaults: [false, { option: true }],
  isFirstVisit: [false, { option: true }],
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
    async ({ page, baseURL, bringsFaults, isFirstVisit, violations }, run) => {
      if (!isFirstVisit) {
        await page.addInitScript(() => {
          // Pages without an origin have no storage.
          if (location.protocol.startsWith('http')) localStorage.setItem('sparsescope.seen', '1');
        });
      }
      // Somebody listens all the time: the browser asks the test instead of the system only from a moment after the
      // first listener came, and a key that is pressed before opens nothing.
      page.on('filechooser', () => undefined);
      const faults: string[] = [];
      const origin = new URL(baseURL ?? '').origin;
      // The browser asks for the icon when it likes, also while a test has taken the network away.
      const isIcon = (url: string): boolean => url.endsWith('/favicon.svg');
      page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
      page.on('console', (message: ConsoleMessage) => {
        if (message.type() === 'error' && !isIcon(message.location().url)) faults.push(`logged: ${message.text()}`);
      });
      page.on('requestfailed', (request) => {
        // The browser gives up what it was loading when the page is left.
        if (request.failure()?.errorText !== 'net::ERR_ABORTED' && !isIcon(request.url()))
          faults.push(`failed: ${request.url()}`);
      });
      page.on('response', (response) => {
        if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
      });
      page.on('request', (request) => {
        const { protocol, origin: asked } = new URL(request.url());
        const local = protocol === 'blob:' || protocol === 'data:' || protocol === 'about:';
        if (!local && asked !== origin && new URL(asked).hostname !== '127.0.0.1')
          faults.push(`left the origin: ${request.url()}`);
      });
      await run(undefined);
      if (!bringsFaults) expect(faults).toEqual([]);
      expect(violations).toEqual([]);
    },
    { auto: true },
  ],
});

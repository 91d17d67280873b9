// The same short tests in Firefox and WebKit, driven by WebDriver. Chromium runs all other specs.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { OTHER_BROWSERS } from './browsers/browsers.ts';
import type { Driver } from './browsers/driver.ts';
import { serveWithErrorRecorder } from './browsers/site.ts';
import { mtx } from './files.ts';
import { formatId, FORMATS, scheduled } from './fixtures.ts';
import type { StaticServer } from './static-server.ts';

/** A matrix that every format supports, and whose stories are short. */
const SMALL = '#2/watch?src=generated:uniform&shape=8x16&density=0.25&seed=1&a=macko&b=none&win=0,0,2,8&moment=0';

// XPath of elements, for the driver.

const button = (name: string): string =>
  `//*[self::button or self::a][@aria-label="${name}" or normalize-space()="${name}"]`;
/** The button of the selection bar for format A. */
const FORMAT_A = '//section[@aria-label="Selection"]//button[@data-word="a"]';
/** A format in the dialog that the button for format A opens. */
const choice = (title: string): string => `//button[@data-choice="${formatId(title)}"]`;
const RUN = '//section[@aria-label="Run"]//button[starts-with(normalize-space(), "Run")]';
const SPEED = '//div[contains(@class, "player-speed")]//select';

/** The state of the page, as read by `readPage`. */
interface PageState {
  /** the name of format A in the selection bar */
  readonly a: string;
  /** the title of the choice that has the focus */
  readonly focused: string;
  /** titles of the formats in the dialog for A; empty while it is closed */
  readonly choices: readonly string[];
  readonly busy: boolean;
  /** name of the player's slider; empty while the player shows frames */
  readonly slider: string;
  readonly step: number;
  readonly stepCount: number;
  /** 'frame 3 of 10' or 'step 7 of 130' */
  readonly count: string;
  readonly hasStory: boolean;
  /** the narration of the step */
  readonly words: string;
  /** number of distinct colours of the picture on the stage, counted up to 10 */
  readonly colours: number;
  /** name and shape of the matrix in the selection bar */
  readonly matrix: string;
  /** the text of the page */
  readonly main: string;
  readonly alerts: readonly string[];
  /** what was thrown, rejected, logged as an error or failed to load */
  readonly faults: readonly string[];
  readonly address: string;
}

/** Reads the state of the page; this function runs in the page. */
function readPage(): PageState {
  const text = (selector: string): string => document.querySelector(selector)?.textContent ?? '';
  const slider = document.querySelector('[role="slider"][aria-label="Step"]');
  const canvas = document.querySelector<HTMLCanvasElement>('#stage canvas');
  const sample = document.createElement('canvas');
  sample.width = 200;
  sample.height = 200;
  const context = sample.getContext('2d', { willReadFrequently: true });
  const colours = new Set<number>();
  if (context && canvas && canvas.width > 0) {
    context.imageSmoothingEnabled = false;
    context.drawImage(canvas, 0, 0, sample.width, sample.height);
    for (const pixel of new Uint32Array(context.getImageData(0, 0, sample.width, sample.height).data.buffer)) {
      if (colours.size < 10) colours.add(pixel);
    }
  }
  const stepCount = Number(slider?.getAttribute('aria-valuemax') ?? 0);
  const words = text('#stage p[aria-live="polite"]');
  return {
    a: text('section[aria-label="Selection"] [data-word="a"] .word-name b'),
    focused: text('[data-choice]:focus .format-row-title'),
    choices: [...document.querySelectorAll('[data-choice] .format-row-title')].map(
      (element) => element.textContent ?? '',
    ),
    busy: document.querySelector('#stage')?.getAttribute('aria-busy') === 'true',
    slider: slider?.getAttribute('aria-label') ?? '',
    step: Number(slider?.getAttribute('aria-valuenow') ?? Number.NaN),
    stepCount,
    count: text('.player-count').replace(/\s+/g, ' ').trim(),
    hasStory: text('.player-count') !== '' && words.trim() !== '',
    words,
    colours: colours.size,
    matrix: text('section[aria-label="Selection"] .crumbs'),
    main: text('main'),
    alerts: [...document.querySelectorAll('[role="alert"]')].map((element) => element.textContent ?? ''),
    faults: [...(window as unknown as { readonly faults: readonly string[] }).faults],
    address: location.hash,
  };
}

let site: StaticServer;
test.beforeAll(async () => {
  site = await serveWithErrorRecorder({});
});
test.afterAll(() => site.close());

for (const { name, start } of OTHER_BROWSERS) {
  test.describe(name, () => {
    // The tests of one browser share a driver, so they run one after the other.
    test.describe.configure({ mode: 'default' });
    test.skip(start === null, `found no ${name}: npm test says why it could not be installed`);

    let driver: Driver;
    test.beforeAll(async () => {
      if (!start) return;
      driver = await start();
      console.log(driver.title);
    });
    test.afterAll(() => driver?.close());

    const pageState = (): Promise<PageState> => driver.evaluate(readPage, null);
    const open = (hash: string): Promise<void> => driver.open(`${site.url}${hash}`);
    /** Waits until the page has the expected state. */
    const expectPage = (expected: Record<string, unknown>, timeout = 60_000): Promise<void> =>
      expect.poll(pageState, { timeout, intervals: [50, 100, 200] }).toMatchObject(expected);
    /** Waits for the story on the stage and for the selection bar, whose code arrives later. */
    const waitForStory = (): Promise<void> =>
      expectPage({ busy: false, hasStory: true, a: expect.stringMatching(/\S/) });
    /** Chooses a format as A in the selection bar, and waits for its story. */
    const chooseFormat = async (title: string): Promise<void> => {
      await driver.click(FORMAT_A);
      await expectPage({ choices: FORMATS });
      await driver.click(choice(title));
      await expectPage({ a: title, choices: [], busy: false, step: 0 });
      await waitForStory();
    };
    const expectFaultless = async (): Promise<void> => {
      const { alerts, faults } = await pageState();
      expect([...alerts, ...faults]).toEqual([]);
    };

    const scheduledInWebKit =
      name === 'WebKit'
        ? scheduled(
            'WebKit without a graphics card takes twenty to forty seconds for each',
            'Firefox, in e2e/browsers.spec.ts',
          )
        : {};
    test(
      'the first visit plays its animation, and opens the page with the first picture',
      scheduledInWebKit,
      async () => {
        await open('');
        await expectPage({ main: expect.stringContaining('Watch how') });
        await driver.click(button('Watch how'));
        await waitForStory();
        await expectFaultless();
        await open('#2/watch');
        await waitForStory();
        await expectPage({
          count: expect.stringMatching(/^frame 1 of \d+$/),
          colours: 10,
          matrix: expect.stringMatching(/512 × 512/),
        });
        await expectFaultless();
      },
    );

    /** Plays the story to its last step, where the narration has changed and the picture is drawn. */
    const playToEnd = async (): Promise<void> => {
      const { stepCount, words } = await pageState();
      await driver.click(button('Play'));
      await expectPage({ step: stepCount, words: expect.not.stringContaining(words) }, 120_000);
      await expect.poll(async () => (await pageState()).colours).toBeGreaterThan(3);
      await expectFaultless();
    };
    /** Plays 16 times as fast: 4 by the player, 4 by the page's clock. At normal speed a story takes 4 s. */
    const speedUp = async (): Promise<void> => {
      await driver.select(SPEED, '4');
      await driver.evaluate((times) => Reflect.get(window, 'hurry')(times), 4);
    };

    test(
      'the player plays a story to its end',
      scheduled('each browser takes ten seconds for it', 'e2e/player.spec.ts and e2e/frames.spec.ts in Chromium'),
      async () => {
        await open(SMALL);
        await waitForStory();
        await speedUp();
        await playToEnd();
      },
    );

    test(
      'the player plays the story of every format to its end',
      scheduled(
        'WebKit without a graphics card draws ten stories in two and a half minutes',
        'the first test of e2e/browsers.spec.ts, and test/golden/stories.test.ts, which has one story of each',
      ),
      async () => {
        await open(SMALL);
        await waitForStory();
        await speedUp();
        for (const title of FORMATS) {
          await chooseFormat(title);
          await playToEnd();
        }
      },
    );

    test(
      'keys step, go to both ends, choose a format, and switch between frames and every step',
      scheduled(
        'each browser takes ten seconds for it',
        'e2e/player.spec.ts and e2e/tasks.spec.ts in Chromium, and the first test of e2e/browsers.spec.ts',
      ),
      async () => {
        await open(SMALL);
        await waitForStory();
        await driver.press('ArrowRight');
        await driver.press('End');
        const { stepCount } = await pageState();
        await expectPage({ step: stepCount });
        await driver.press('ArrowLeft');
        const { step } = await pageState();
        expect(step).toBeLessThan(stepCount);
        await driver.press('ArrowRight');
        await expectPage({ step: stepCount });
        await driver.press('Home');
        await expectPage({ step: 0 });
        // After a click the arrow keys step through the story; in the dialog they move through the formats.
        await chooseFormat(FORMATS[0]);
        await driver.press('End');
        await driver.press('Home');
        await expectPage({ step: 0 });
        await driver.evaluate(() => document.querySelector<HTMLElement>('[data-word="a"]')?.focus(), null);
        await driver.press('Enter');
        await expectPage({ focused: FORMATS[0] });
        await driver.press('ArrowDown');
        await expectPage({ focused: FORMATS[1] });
        await driver.press('Enter');
        await expectPage({ a: FORMATS[1], choices: [], busy: false, step: 0 });
        await waitForStory();
        await driver.press('e');
        await expectPage({ slider: '', address: expect.not.stringContaining('moment=') });
        await driver.press('e');
        await expectPage({ slider: 'Step', address: expect.stringContaining('moment=0') });
        await expectFaultless();
      },
    );

    test(
      'opens a file',
      scheduled('each browser takes five seconds for it', 'e2e/matrix.spec.ts in Chromium'),
      async () => {
        const folder = mkdtempSync(join(tmpdir(), 'sparsescope-file-'));
        try {
          const file = mtx('five-by-seven.mtx', 5, 7, [
            [0, 0, 1.5],
            [2, 3, -2],
            [4, 6, 0.25],
          ]);
          const path = join(folder, file.name);
          writeFileSync(path, file.buffer);
          await open(SMALL);
          await waitForStory();
          await driver.press('o', { control: true });
          await driver.upload('//input[@type="file"]', path);
          await expectPage({ matrix: expect.stringMatching(/5 × 7/), hasStory: true });
          await expectPage({ address: expect.stringContaining('name=five-by-seven.mtx') });
          await expectFaultless();
        } finally {
          rmSync(folder, { recursive: true });
        }
      },
    );

    test(
      'runs the benchmark on the CPU, with a message if there is no WebGPU',
      scheduled(
        'each browser takes ten seconds for it',
        'e2e/benchmark.spec.ts, everything but the GPU works, in Chromium',
      ),
      async () => {
        await open(
          '#2/measure?src=generated:uniform&shape=256x256&density=0.25&seed=1&b=none&x.fold=verified.kernels.settings.runs',
        );
        // Waits for hints that appear late and move the button: formats that reject the matrix, and whether there is a GPU.
        await expectPage({
          main: expect.stringMatching(/Run on .*uniform 256\s×\s256.*TwELL.*Run at \d+ densities/s),
        });
        await expectPage({ main: expect.not.stringContaining('Detecting the device') });
        await driver.click('//label[normalize-space()="CPU"]');
        await driver.click(RUN);
        await expectPage({ main: expect.stringMatching(/Run again/) }, 120_000);
        await expectPage({
          main: expect.stringMatching(/On one thread of the CPU, in TypeScript, .*A GPU has other times/),
        });
        // If a clock of whole milliseconds is too coarse for a fast machine, a sentence replaces the ratio.
        await expectPage({
          main: expect.stringMatching(
            /(as fast as|faster than) dense|about as fast:|too noisy to divide:|(The|Some) times are shorter than the clock’s step/,
          ),
        });
        const { main } = await pageState();
        expect(main).not.toMatch(/NaN|undefined|outside/);
        const hasWebGpu = await driver.evaluate(() => 'gpu' in navigator, null);
        expect(/browser has no WebGPU/.test(main)).toBe(!hasWebGpu);
        await expectFaultless();
      },
    );

    test(
      'a link and the back button change the story on the page',
      scheduled('each browser takes five seconds for it', 'e2e/address.spec.ts in Chromium'),
      async () => {
        await open(SMALL.replace('moment=0', 'moment=5'));
        // The selection bar appears after the stage.
        await expectPage({ step: 5, busy: false, hasStory: true, a: 'MACKO' });
        const { words } = await pageState();
        // The address then changes under the page, as by a link on a page or the back button.
        await driver.evaluate(
          () => location.assign('#2/watch?src=generated:uniform&shape=6x9&density=0.5&seed=2&b=none'),
          null,
        );
        await expectPage({
          matrix: expect.stringMatching(/6 × 9/),
          count: expect.stringMatching(/^frame 1 of/),
          busy: false,
        });
        await driver.evaluate(() => history.back(), null);
        await expectPage({ step: 5, words, a: 'MACKO' });
        await expectFaultless();
      },
    );
  });
}

// Loading of stories: the matrix does not wait for them, and failed loads can be repeated.

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, scheduled, test } from './fixtures.ts';

/** Delays the code of a story until the returned function is called. */
async function pauseStory(page: Page, format: string): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/story-${format}-*.js`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

for (const width of [390, 1440]) {
  test(
    `at ${width} px the matrix does not wait for the story, and nothing moves when it arrives`,
    scheduled(
      'a story is held back',
      'src/state/stories.test.ts, the matrix does not wait for it, and e2e/skeleton.spec.ts for what moves when code arrives',
    ),
    async ({ app, page }) => {
      await page.setViewportSize({ width, height: 844 });
      const release = await pauseStory(page, 'macko');
      await page.goto('./#2/watch');
      const stage = app.stage;
      await expect(stage).toContainText('Loading the animation');
      await expect(app.stage).toContainText('padding');
      await expect(page.getByRole('alert')).toHaveCount(0);
      const player = page.getByRole('region', { name: 'Player' });
      const positions = async (): Promise<unknown> => [await stage.boundingBox(), await player.boundingBox()];
      await app.fontsLoaded();
      const before = await positions();
      release();
      await app.ready();
      await expect.poll(positions).toEqual(before);
    },
  );
}

test(
  'the previous picture stays until the story of another format is loaded',
  scheduled('one more page load', 'src/state/stories.test.ts: replaces the one before, which stays visible until then'),
  async ({ app, page }) => {
    const release = await pauseStory(page, 'bitmask');
    await app.open();
    await app.fontsLoaded();
    await app.oneStep();
    await app.expectStep(1);
    const stage = app.stage;
    const narration = (await app.narration.textContent()) ?? '';
    const canvas = stage.locator('canvas').first();
    await expect(stage.getByRole('heading', { name: /stores this matrix in/ })).toHaveCount(1);
    // Not the whole box: the answer above the picture may have one line less.
    const size = async (): Promise<unknown> => {
      const { width, height } = (await canvas.boundingBox()) ?? { width: 0, height: 0 };
      return [width, height];
    };
    const before = await size();
    await app.chooseFormat('bitmask');
    await app.expectFormat('bitmask');
    await expect(stage).toHaveAttribute('aria-busy', 'true');
    await expect(app.narration).toHaveText(narration);
    await expect.poll(size).toEqual(before);
    release();
    await expect(stage).toHaveAttribute('aria-busy', 'false');
    await expect(app.narration).not.toHaveText(narration);
    await app.expectStep(0);
    await app.ready();
  },
);

test(
  'a story that fails to load is reported in a sentence and can be requested again',
  scheduled(
    'one more page load',
    'src/state/stories.test.ts: the first story can be requested again after it failed to load, and opens at the step of the link',
  ),
  async ({ app, page }) => {
    await page.route('**/story-macko-*.js', (route) => route.abort('aborted'));
    await page.goto('./#2/watch?src=generated:uniform&shape=64x64&density=0.3&seed=1&a=macko&b=none&moment=3');
    const alert = app.stage.getByRole('alert');
    await expect(alert).toContainText('The animation of MACKO could not be loaded: ');
    await expect(app.selection).toContainText('64 × 64');
    await page.unroute('**/story-macko-*.js');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await app.ready();
    await app.everyStep();
    await app.expectStep(3);
    await expect(page.getByRole('alert')).toHaveCount(0);
  },
);

test.describe('without a chunk of the page', () => {
  // React logs the error that its error boundary catches.
  test.use({ bringsFaults: true });

  test(
    'a page whose code fails to load gives one message, and can be requested again',
    scheduled(
      'three page loads',
      'e2e/unbroken.spec.ts, where a page has no network, and src/kit/browser/lazy-part.test.tsx',
    ),
    async ({ app, page }) => {
      await page.route('**/MeasurePage-*.js', (route) => route.abort('aborted'));
      await app.open();
      await app.link('Measure').click();
      const alert = page.getByRole('main').getByRole('alert');
      await expect(alert).toContainText('The view “Measure” cannot be shown: its code failed to load.');
      await expect(alert.getByRole('button', { name: 'Reload the page' })).toBeVisible();
      await alert.getByRole('link', { name: 'Go to Compare' }).click();
      await expect(page.getByRole('main')).toContainText('MACKO stores this matrix in');
      await page.unroute('**/MeasurePage-*.js');
      await app.link('Measure').click();
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(app.runButton).toBeEnabled();
      await expect(page.getByRole('alert')).toHaveCount(0);
    },
  );
});

/** An address in the docs, and texts that it must show. */
interface LinkedView {
  /** the rest of the address after `SOURCE`, as in docs/formats/twell.md */
  readonly address: string;
  readonly stage?: string;
  readonly inspector?: string;
  readonly matrix?: string;
}

const SOURCE = 'src=generated:uniform&';

/** The addresses in the table 'What the published kernels lose silently' of docs/formats/twell.md. */
const LOSS_LINKS: readonly LinkedView[] = [
  {
    address: 'shape=1x31&density=1&a=twell&a.tileWidth=128&a.compression=4&win=0,0,1,31&moment=32',
    stage: 'Token 0, tile 0: 31 non-zeros, moved to the left; it is full.',
    inspector: 'At most 31 of 31 slots, in row 0, tile 0.',
  },
  {
    address: 'shape=1x32&density=1&a=twell&a.tileWidth=128&a.compression=4&win=0,0,1,32',
    inspector: 'has 32 non-zeros, more than the 31 that fit next to the count in 32 words',
  },
  {
    address: 'shape=1x33&density=1&a=twell&a.tileWidth=128&a.compression=4&win=0,0,1,33',
    inspector: 'has 33 non-zeros, more than the 31 that fit next to the count in 32 words',
  },
  {
    address: 'shape=1x33&density=1&a=twell&a.tileWidth=128&a.compression=4&win=0,0,1,33',
    inspector: 'has 33 non-zeros, more than the 31 that fit next to the count in 32 words',
  },
  {
    address: 'shape=2x40&density=1&a=twell&a.tileWidth=128&a.compression=4&win=0,0,2,40',
    inspector: 'has 40 non-zeros, more than the 31 that fit',
  },
  {
    address: 'shape=4x8448&density=0.001&a=twell',
    inspector: 'has a lane for 32 tiles and drops the last tile of 33.',
  },
  {
    address: 'shape=1x8&density=1&a=twell&a.tileWidth=8&a.compression=2',
    inspector: 'has 8 non-zeros, more than the 3 that fit next to the count in 4 words',
  },
  {
    address: 'shape=1x40&density=1&a=hybrid&a.rowSlots=32&win=0,0,1,40&moment=43',
    stage: 'Row 0 has 40 non-zeros, more than 32: it goes whole to tail row 0.',
    inspector: 'rows in the tail1 of 1',
  },
  {
    address: 'shape=16x256&density=0.9&a=hybrid&moment=1',
    stage: 'Memory is reserved first:',
    inspector: '16 rows have more than 128 non-zeros, the first is row 0 with 230, and the tail has 2 rows',
  },
];

/** The addresses in the table 'Where the paper is wrong' of docs/formats/twell.md. */
const ERROR_LINKS: readonly LinkedView[] = [
  {
    address: 'shape=64x5632&density=0.16165&a=hybrid&a.tailShare=1',
    inspector: 'non-zeros per row (L0)911',
    matrix: 'left16.2\u202f%',
  },
  {
    address: 'shape=64x5632&density=0.071&a=twell',
    inspector: 'odds that a row overflows2.9 %',
  },
  {
    address: 'shape=64x5632&density=0.0888&a=twell',
    inspector: 'this matrix, 47 of 1\u202f408 tile rows and 33 of 64 rows',
  },
  {
    address: 'shape=1x33&density=1&a=twell&a.tileWidth=128&a.compression=4&win=0,0,1,33',
    inspector: 'has 33 non-zeros, more than the 31 that fit next to the count in 32 words',
  },
  {
    address: 'shape=64x5632&density=0.005&a=twell',
    inspector: 'Their equation 2 also divides by 5 632',
  },
  {
    address: 'shape=64x5632&density=0.01925&a=twell',
    inspector: 'fifteen times as much (the paper says ten).',
  },
];

for (const [heading, views] of [
  ['What the published kernels lose silently', LOSS_LINKS],
  ['Where the paper is wrong', ERROR_LINKS],
] as const) {
  test(
    `TwELL, ${heading}: every link in the docs opens it`,
    scheduled('up to nine page loads', 'src/lessons/errata-figures.test.ts and src/formats/contract/story.test.ts'),
    async ({ app }) => {
      const doc = readFileSync(new URL('../docs/formats/twell.md', import.meta.url), 'utf8');
      const section = doc.split('\n## ').find((text) => text.startsWith(heading)) ?? '';
      const addresses = [...section.matchAll(/`(src=[^`]+)`/g)].map(([, address]) => address);
      expect(addresses).toEqual(views.map(({ address }) => SOURCE + address));
      for (const { address, stage, inspector, matrix } of views) {
        await test.step(address, async () => {
          await app.open(`#2/watch?b=none&${SOURCE}${address}`);
          if (stage !== undefined) await expect(app.narration).toContainText(stage);
          if (inspector !== undefined) await expect(app.stage).toContainText(inspector);
          if (matrix !== undefined) await app.expectMatrix(matrix);
        });
      }
    },
  );
}

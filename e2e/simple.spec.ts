import type { Page } from '@playwright/test';
import { expect, scheduled, test } from './fixtures.ts';
import { type Counts, settledCounts } from './page-counts.ts';

/*
 * A place is one headline, one picture and one closed drawer: what it shows is counted, on a screen of 1440 × 900 and for one
 * matrix of a model. To add a place, add a line to PLACES: its path, what it may show at first, and with its drawer open.
 * A limit is lowered when a place needs less; it is not raised for a place that has grown.
 */

interface Counted {
  /** as in addresses: 'compare' */
  readonly place: string;
  /** its subject, if that is not a single matrix */
  readonly of?: string;
  readonly closed: Counts;
  /** names of what the drawer holds are shown, and nothing of it is unfolded */
  readonly open: Counts;
}

const MODEL = 'model=llama-3.1-8b&prune=magnitude:0.5&a=macko&b=dense';
const MATRIX = 'model=llama-3.1-8b&layer=12&matrix=down&prune=magnitude:0.5&a=macko&b=dense';

const PLACES: readonly Counted[] = [
  { place: 'watch', closed: { controls: 20, words: 80 }, open: { controls: 22, words: 90 } },
  { place: 'compare', closed: { controls: 28, words: 280 }, open: { controls: 33, words: 310 } },
  { place: 'compare', of: MODEL, closed: { controls: 30, words: 290 }, open: { controls: 37, words: 320 } },
  { place: 'measure', closed: { controls: 8, words: 130 }, open: { controls: 17, words: 165 } },
  { place: 'language', closed: { controls: 12, words: 250 }, open: { controls: 15, words: 260 } },
  { place: 'language/quality', closed: { controls: 29, words: 140 }, open: { controls: 32, words: 150 } },
  { place: 'language/neurons', closed: { controls: 16, words: 160 }, open: { controls: 18, words: 170 } },
  { place: 'language/speed', closed: { controls: 8, words: 160 }, open: { controls: 12, words: 175 } },
  { place: 'train', closed: { controls: 12, words: 132 }, open: { controls: 14, words: 140 } },
  { place: 'code', closed: { controls: 32, words: 280 }, open: { controls: 36, words: 300 } },
];

/** What a place may show is decided when it is designed; a change that is right may need a word more. */
const BUDGET = scheduled('a budget, which fails for no physical reason', 'screenshots of the place');

test.use({ hasRecordings: true, folds: '' });

for (const { place, of = MATRIX, closed, open } of PLACES) {
  const title = `${place}${of === MODEL ? ' for a model' : ''} shows few controls and words, at first and with its drawer open`;
  test(title, BUDGET, async ({ page }) => {
    await page.goto(`./#2/${place}?${of}`);
    const drawer = page.getByRole('main').getByRole('button', { name: 'details', exact: true });
    await expect(drawer).toHaveAttribute('aria-expanded', 'false');
    await expectAtMost(page, closed, 'at first');
    await drawer.click();
    await expect(drawer).toHaveAttribute('aria-expanded', 'true');
    await expectAtMost(page, open, 'with its drawer open');
  });
}

async function expectAtMost(page: Page, limits: Counts, when: string): Promise<void> {
  const { controls, words } = await settledCounts(page);
  expect(controls, `controls ${when}`).toBeLessThanOrEqual(limits.controls);
  expect(words, `words ${when}`).toBeLessThanOrEqual(limits.words);
}

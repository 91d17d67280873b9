// Measures a visit of a page several times, and keeps the minimum of each figure.

import { type Browser, expect, type Page } from '@playwright/test';
import { keep, referenceWork } from './figure.ts';
import { watchMainThread } from './main-thread.ts';

const VISITS = 3;

type Measured = Readonly<Record<string, number>>;

/**
 * Visits a page several times and stores the minimum of each figure, with the time of the reference work on the same page.
 * `budgets`: the limit of every figure in ms; null for none. Fails if a visit returns other figures than these.
 */
export async function keepMin(
  { browser, page }: { readonly browser: Browser; readonly page: Page },
  budgets: Readonly<Record<string, number | null>>,
  visit: (turn: number) => Promise<Measured>,
): Promise<void> {
  const reference = async (): Promise<number> =>
    (await watchMainThread(browser, page, async () => void (await page.evaluate(referenceWork)))).tasksMs[0];
  const min = new Map<string, { readonly value: number; readonly referenceMs: number }>();
  for (let turn = 0; turn < VISITS; turn++) {
    const measured = await visit(turn);
    const referenceMs = await reference();
    for (const [name, value] of Object.entries(measured)) {
      if (value < (min.get(name)?.value ?? Number.POSITIVE_INFINITY)) min.set(name, { value, referenceMs });
    }
  }
  expect([...min.keys()].toSorted()).toEqual(Object.keys(budgets).toSorted());
  for (const [name, { value, referenceMs }] of min) {
    const budget = budgets[name];
    keep({ name, unit: 'ms', value, referenceMs, ...(budget === null ? {} : { budget }) });
    console.log(`${name}: ${value.toFixed(1)} ms`);
  }
}

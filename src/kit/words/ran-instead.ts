import type { BenchReport, BenchRow, Environment } from '../../core/report.ts';
import { time } from './quantity.ts';

/** What ran instead of a graphics card: a software adapter, or the page's TypeScript on one thread. */
export type Substitute = 'software' | 'CPU';

/** What ran instead of a graphics card in a report, a word that the page writes next to its times; null: a card ran. */
export function substituteOf({ environment, rows }: Pick<BenchReport, 'environment' | 'rows'>): Substitute | null {
  if (environment.isFallback) return 'software';
  return rows.some(({ where }) => where === 'cpu') ? 'CPU' : null;
}

/** A figure followed by the word of `substituteOf`: '1.31×, software'. */
export function withSubstitute(text: string, substitute: Substitute | null): string {
  return substitute === null ? text : `${text}, ${substitute}`;
}

/** A time, with the word for what ran instead of a card: '1.74 ms, software'; a dash without a time. */
export function timedText(timed: RowOfReport | null): string {
  return timed?.row.medianNs ? withSubstitute(time(timed.row.medianNs), substituteOf(timed.report)) : '–';
}

interface RowOfReport {
  readonly row: Pick<BenchRow, 'medianNs'>;
  readonly report: Pick<BenchReport, 'environment' | 'rows'>;
}

/** CSS grey number `index` of `count`, for times that are not from a card; the first has the most contrast. */
export function greyOf(index = 0, count = 1): string {
  const share = count < 2 ? 0.7 : 0.85 - (0.5 * index) / (count - 1);
  return `color-mix(in oklab, var(--text) ${Math.round(100 * share)}%, var(--ground))`;
}

/** Software adapters: a pattern for the name in the browser, and the name on the page. */
const SOFTWARE: readonly (readonly [RegExp, string])[] = [
  [/swiftshader/i, 'SwiftShader'],
  [/llvmpipe|lavapipe/i, 'Lavapipe'],
  [/basic render|warp\b/i, 'WARP'],
];

/** The software adapter of this browser, as words after 'On'. */
export const SOFTWARE_GPU = 'this computer’s software GPU';

/** A text about the worth of times on a software adapter. */
export function softwareText({ adapter }: Environment): string {
  const text = Object.values(adapter).join(' ');
  const name = SOFTWARE.find(([pattern]) => pattern.test(text))?.[1] ?? 'A software adapter';
  return `${name} emulates a GPU on the CPU: its times do not apply to graphics cards.`;
}

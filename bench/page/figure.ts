import { appendFileSync, writeFileSync } from 'node:fs';

// Figures of `npm run bench:page`: visits in child processes append them to a file, which the parent process reads.

/** A measured time of the page, or of its computations. */
export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 's';
  readonly value: number;
  /** the limit that the page should stay below, on a machine of today */
  readonly budget?: number;
  /** ms of the reference work in the same process or page, right before and after */
  readonly referenceMs: number;
}

/** Name of the environment variable with the path of the file to which visits append their figures, one per line. */
export const FIGURES_FILE = 'PAGE_FIGURES';

/** Path of the file of figures. Throws Error if the environment does not name it. */
function figuresFile(): string {
  const file = process.env[FIGURES_FILE];
  if (!file) throw new Error(`${FIGURES_FILE}: found none, expected a file; run npm run bench:page`);
  return file;
}

/** Appends a figure to the file that the parent process reads. */
export function keep(figure: Figure): void {
  appendFileSync(figuresFile(), `${JSON.stringify(figure)}\n`);
}

/** Path of the file with the version of the browser, next to the file of figures. */
export const browserFile = (figures: string): string => `${figures}.browser`;

/** Writes the version of the browser for the parent process. */
export function keepBrowser(version: string): void {
  writeFileSync(browserFile(figuresFile()), `Chromium ${version}`);
}

/** Parses the figures that `keep` appended. */
export function figuresIn(lines: string): readonly Figure[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Figure);
}

/**
 * A fixed piece of work on numbers and memory of about 100 ms, whose time shows how fast the machine currently is. It uses
 * no other function of this file, so that it can also run inside a page.
 */
export function referenceWork(): number {
  const cells = new Float64Array(65_536);
  let x = 1;
  for (let i = 0; i < 20_000_000; i++) {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    cells[x >>> 16] += x & 7;
  }
  return cells[x >>> 16];
}

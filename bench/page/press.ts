import type { BenchReport, Span } from '../../src/core/report.ts';

// Presses Run in Measure in a real page, and records what the page shows until the run is over (`npm run bench:page`).

/** The record of a press of Run, with times in ms after the press. */
export interface Press {
  readonly address: string;
  /** when the page showed its first headline about this run; null if it showed none before the end */
  readonly firstMs: number | null;
  /** when the run was over */
  readonly doneMs: number;
  /** the first and the last headline */
  readonly firstWords: string;
  readonly lastWords: string;
  /** the texts of the line of progress, with the time at which each appeared */
  readonly progress: readonly (readonly [ms: number, what: string])[];
  readonly report: BenchReport;
}

/**
 * Opens an address of Measure, presses Run, and waits until the run is over. Runs inside the page, so it uses no other
 * function of this file. Throws Error if the run fails, or has not ended after `maxMs`.
 */
export async function press(address: string, maxMs = 240_000): Promise<Press> {
  const find = (selector: string): Element | null => document.querySelector(selector);
  const textOf = (selector: string): string => find(selector)?.textContent ?? '';
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const until = async (condition: () => boolean, what: string): Promise<void> => {
    for (const start = performance.now(); !condition(); await wait(10)) {
      if (performance.now() - start > maxMs) throw new Error(`${address}: ${what}: found none in ${maxMs} ms`);
    }
  };
  const button = (): HTMLButtonElement | null => document.querySelector('.run-bar .button');
  location.hash = address;
  await wait(500);
  await until(() => {
    const run = button();
    return run !== null && !run.disabled && run.getAttribute('aria-disabled') !== 'true';
  }, 'a button to run');
  // The matrix is open, and the page has finished its automatic computations.
  await wait(3000);
  const progress: [number, string][] = [];
  const headline = (): string => textOf('.answer-line');
  const pressedAt = performance.now();
  const msSincePress = (): number => Math.round(performance.now() - pressedAt);
  let firstMs: number | null = null;
  let firstWords = '';
  const recordChange = (): void => {
    const what = textOf('.bench-running .truncate').replace(/, about .* left$/, '');
    if (what.trim() !== '' && what !== progress.at(-1)?.[1]) progress.push([msSincePress(), what]);
    const isOfRun = find('.bench-running') !== null && /First \d+ of \d+ rounds/.test(headline());
    if (firstMs === null && isOfRun) [firstMs, firstWords] = [msSincePress(), headline()];
  };
  const observer = new MutationObserver(recordChange);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  button()?.click();
  await until(() => find('.bench-running') !== null, 'progress of the run');
  await until(() => find('.bench-running') === null, 'the end of the run');
  const doneMs = msSincePress();
  await wait(300);
  observer.disconnect();
  return { address, firstMs, doneMs, firstWords, lastWords: headline(), progress, report: await savedReport() };

  /** The report of the run: presses the button JSON, and reads the file that the page saves. */
  async function savedReport(): Promise<BenchReport> {
    const createObjectUrl = URL.createObjectURL.bind(URL);
    let saved: Promise<string> | null = null;
    URL.createObjectURL = (object: Blob | MediaSource) => {
      if (object instanceof Blob && object.type.includes('json')) saved = object.text();
      return createObjectUrl(object);
    };
    try {
      await until(() => find('.exports button') !== null, 'a button to save the report');
      for (const exportButton of document.querySelectorAll<HTMLButtonElement>('.exports button')) {
        if (exportButton.textContent?.trim() === 'JSON') exportButton.click();
      }
      await until(() => saved !== null, 'a saved report');
      return JSON.parse(await (saved as unknown as Promise<string>)) as BenchReport;
    } finally {
      URL.createObjectURL = createObjectUrl;
    }
  }
}

/** The record of a press as text: a line for each piece of work that the run waited for, work in parallel indented. */
export function timelineText({ address, firstMs, doneMs, firstWords, lastWords, report }: Press): string {
  const ms = (value: number | null): string => (value === null ? '-' : `${value} ms`).padStart(9);
  const line = ({ what, fromMs, toMs, beside }: Span): string =>
    `${ms(fromMs)} ${ms(toMs - fromMs)}  ${beside ? '    beside: ' : ''}${what}`;
  return [
    address,
    `${ms(firstMs)} until the first answer: ${firstWords}`,
    `${ms(doneMs)} until the run was over: ${lastWords}`,
    '   begins      takes',
    ...(report.timeline ?? []).map(line),
    ...report.rows.map(
      ({ kernel, tuned, medianNs, first }) =>
        `  ${kernel} ${JSON.stringify(tuned?.chosen ?? {})}: ${medianNs} ns${first ? `, at first ${first.kernel} ${first.medianNs} ns` : ''}`,
    ),
    ...report.notes.map((note) => `  ${note}`),
  ].join('\n');
}

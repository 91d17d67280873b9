import type { BenchReport, Span } from '../../src/core/report.ts';

/** A press of Run in Measure, by the clock of the page. */
export interface Press {
  readonly address: string;
  /** until the page had an answer of this run, and until the run was over, in ms from the press on */
  readonly firstMs: number | null;
  readonly doneMs: number;
  /** what the page answered first and last */
  readonly firstWords: string;
  readonly lastWords: string;
  /** the texts of its line of progress, with the ms at which each began */
  readonly progress: readonly (readonly [ms: number, what: string])[];
  readonly report: BenchReport;
}

/**
 * Opens an address of Measure, presses Run, and waits until the run is over. A script for the page: it uses nothing
 * outside of itself. Throws where the run fails, or has not ended after `maxMs`.
 */
export async function press(address: string, maxMs = 240_000): Promise<Press> {
  const find = (selector: string): Element | null => document.querySelector(selector);
  const textOf = (selector: string): string => find(selector)?.textContent ?? '';
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const until = async (isSo: () => boolean, what: string): Promise<void> => {
    for (const begun = performance.now(); !isSo(); await wait(10)) {
      if (performance.now() - begun > maxMs) throw new Error(`${address}: ${what}: found none in ${maxMs} ms`);
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
  const words = (): string => textOf('.answer-line');
  const pressedAt = performance.now();
  const passed = (): number => Math.round(performance.now() - pressedAt);
  let firstMs: number | null = null;
  let firstWords = '';
  const look = (): void => {
    const what = textOf('.bench-running .truncate').replace(/, about .* left$/, '');
    if (what.trim() !== '' && what !== progress.at(-1)?.[1]) progress.push([passed(), what]);
    const isOfRun = find('.bench-running') !== null && /First \d+ of \d+ rounds/.test(words());
    if (firstMs === null && isOfRun) [firstMs, firstWords] = [passed(), words()];
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  button()?.click();
  await until(() => find('.bench-running') !== null, 'progress of the run');
  await until(() => find('.bench-running') === null, 'the end of the run');
  const doneMs = passed();
  await wait(300);
  observer.disconnect();
  return { address, firstMs, doneMs, firstWords, lastWords: words(), progress, report: await savedReport() };

  /** The report of the run, as the page saves it. */
  async function savedReport(): Promise<BenchReport> {
    const createObjectUrl = URL.createObjectURL.bind(URL);
    let saved: Promise<string> | null = null;
    URL.createObjectURL = (object: Blob | MediaSource) => {
      if (object instanceof Blob && object.type.includes('json')) saved = object.text();
      return createObjectUrl(object);
    };
    try {
      await until(() => find('.exports button') !== null, 'a button to save the report');
      for (const one of document.querySelectorAll<HTMLButtonElement>('.exports button')) {
        if (one.textContent?.trim() === 'JSON') one.click();
      }
      await until(() => saved !== null, 'a saved report');
      return JSON.parse(await (saved as unknown as Promise<string>)) as BenchReport;
    } finally {
      URL.createObjectURL = createObjectUrl;
    }
  }
}

/** The timeline of a press, a line for each piece of work: what was waited for, and, indented, what ran at the same time. */
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

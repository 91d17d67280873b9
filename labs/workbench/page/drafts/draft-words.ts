// Sentences about a draft, a kernel that the user changed.

import { counted, countText, type Words } from '../../../../src/core/text/words.ts';
import { isScratch } from '../../../../src/core/scratch/card.ts';
import { referenceFormat } from '../../../../src/formats/catalog.ts';
import { type Draft, versionNumber, versionOf } from '../kernel-drafts/draft.ts';
import { type DraftResult, wrongOutputCount } from '../kernel-drafts/draft-result.ts';
import { speedFromTimes, speedTimes } from '../../../../src/kit/words/speed-of.ts';
import type { DraftTime } from '../service/drafts/draft-types.ts';

/** The run of a draft that the page shows, with the number of its version. */
export interface VisibleRun {
  readonly number: number;
  readonly result: DraftResult;
  /** no later version was run */
  readonly isLast: boolean;
}

/** The run of the current text; if that was not run, the last run; null before the first. */
export function visibleRun(draft: Draft): VisibleRun | null {
  const last = draft.versions.findLast(({ result }) => result !== null);
  const current = versionOf(draft);
  const run = current?.result ? current : last;
  return run?.result ? { number: run.number, result: run.result, isLast: run === last } : null;
}

/** The status of a draft, a user's changed kernel, in short: whether it is right, and how fast. */
export function draftWords(draft: Draft, run: VisibleRun | null): readonly Words[] {
  if (run === null) {
    if (draft.from === 'here') return [{ text: 'Your copy.' }];
    return [
      { text: 'Somebody’s code. ', strong: true },
      { text: 'It has not run: read it, and run it if you trust it.' },
    ];
  }
  const message = resultText(`Draft ${run.number}`, run.result, rivalName(draft, run.result));
  const next = versionNumber(draft);
  return next === run.number ? message : [...message, { text: ` Draft ${next} was not run.` }];
}

/** The kernel that a draft is timed against: 'the original' or, for a draft from scratch, the id of another kernel. */
export function rivalName({ kernel }: Pick<Draft, 'kernel'>, { timed: timedRun }: DraftResult): string {
  const rival = timedRun?.rows.find(({ who }) => who === 'original')?.kernel;
  return isScratch(kernel) && rival !== undefined ? rival : 'the original';
}

/** The status of a run: its first problem, its speed, that its result is correct, or what it is doing now. */
function resultText(name: string, result: DraftResult, rival: string): readonly Words[] {
  const { compiled, messages, budget, timed: timedRun, checks, ended, doing } = result;
  if (compiled === false) {
    const errors = messages.filter(({ severity }) => severity === 'error');
    const line = errors.find(({ file }) => file !== null)?.line;
    const where = line === undefined ? '' : `, ${errors.length === 1 ? '' : 'the first '}in line ${line}`;
    if (errors.length === 0) return [{ text: `${name}: ` }, { text: ended?.sentence ?? 'it was rejected.' }];
    return [
      { text: `${name} does not compile: ` },
      { text: `${counted(errors.length, 'error')}${where}.`, strong: true },
    ];
  }
  if (budget?.stopped) return [{ text: `${name} was stopped. `, strong: true }, { text: budget.sentence }];
  const wrongCount = wrongOutputCount(result);
  if (wrongCount > 0) {
    const check = checks.find((candidate) => candidate.wrong > 0);
    const where = check?.isOpenMatrix ? ` of ${countText(check.outputs)}` : '';
    return [
      { text: `${name} is wrong`, strong: true },
      {
        text: `: ${countText(check?.wrong ?? wrongCount)}${where} outputs${check?.isOpenMatrix ? '' : ` on ${check?.matrix ?? 'a matrix'}`}.`,
      },
    ];
  }
  const draftTime = timedRun?.rows.find(({ who }) => who === 'draft');
  const nsOf = (kernel: DraftTime['who']): number =>
    timedRun?.rows.find(({ who }) => who === kernel)?.medianNs ?? Number.NaN;
  const speedAgainst = (other: string, who: DraftTime['who'], rounds: DraftTime['vsDense'] | undefined) =>
    draftTime && rounds ? [{ other, ...speedFromTimes(draftTime.medianNs, nsOf(who), rounds) }] : [];
  const ratios = [
    ...speedAgainst(rival, 'original', draftTime?.vsOriginal),
    ...speedAgainst(referenceFormat.title, 'reference', draftTime?.vsDense),
  ];
  if (ratios.length > 0) {
    return [
      { text: `${name} is ` },
      ...ratios.flatMap(({ other, ...speed }, i) => [
        { text: i === 0 ? '' : ' and ' },
        { text: speedTimes(speed), ...(i === 0 && { strong: true as const }) },
        { text: ` as fast as ${other}` },
      ]),
      { text: '.' },
    ];
  }
  // Outputs are right, but the kernel wrote past the end of one: `guard` is the message.
  const guard = checks.find((check) => check.guard !== undefined);
  if (guard?.guard) {
    return [{ text: `${name} is wrong`, strong: true }, { text: `: on ${guard.matrix}, ${guard.guard}` }];
  }
  if (ended?.ok) {
    const triedCount = checks.filter(({ declined }) => declined === null).length;
    // The sentence from the worker (run-draft.ts) may end with the reason why the draft was not timed.
    const reason = /not timed(: .+)\.$/.exec(ended.sentence)?.[1] ?? '';
    return [
      { text: `${name} is ` },
      { text: 'right', strong: true },
      { text: ` on ${counted(triedCount, 'matrix', 'matrices')}. It was not timed${reason}.` },
    ];
  }
  if (ended) return [{ text: `${name}: ` }, { text: ended.sentence }];
  const yours = `your ${name.replace('Draft', 'draft')}`;
  if (doing === null) return [{ text: `Checking ${yours}.` }];
  const { what, done, total } = doing;
  // The first matrix is the open one.
  return [
    {
      text:
        total > 2 && done > 0
          ? `Checking ${yours} on edge case ${done} of ${total - 1} (${what}).`
          : `Checking ${yours}: ${what}.`,
    },
  ];
}

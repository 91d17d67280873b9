import type { Words } from '../../../core/story/scene.ts';
import { countText, counted, say, strong, valueText } from '../../../core/story/words.ts';
import { usedWindows, windowStart } from '../layout.ts';
import { windowsPerGroup, WINDOW } from '../params.ts';
import type { SlideSparseStep, SlideSparseTrace } from './trace.ts';

/** The steps of the chapter Lift. */
export type LiftStep = Extract<SlideSparseStep, { kind: 'in-place' | 'absmax' | 'quantise' | 'lift' | 'fused' }>;

/** The words of the chapter Lift: algorithm 1 of the paper, one kernel that quantises and lifts. */
export function narrateLift(t: SlideSparseTrace, step: LiftStep): readonly Words[] {
  switch (step.kind) {
    case 'in-place':
      return say`With f16 ${strong('nothing is copied')}: every window reads its four activations in place. Activations of 8 bits are lifted: copied in the order of windows.`;
    case 'absmax':
      return absmax(t);
    case 'quantise':
      return say`Pass 2: every activation times 1 / scale, ${strong('rounded half to even')}, from −127 to 127.`;
    case 'lift':
      return lift(t, step.window);
    case 'fused':
      return fused(t);
  }
}

function absmax({ lifting, activations }: SlideSparseTrace): readonly Words[] {
  const step = `${valueText(lifting.absmax)} / 127 = ${lifting.scale.toPrecision(3)}`;
  return say`Algorithm 1, pass 1 over ${counted(activations.length, 'activation')}: the largest magnitude is ${valueText(lifting.absmax)}, so a step is ${strong(step)}.`;
}

/** The columns of a window in words; null if it is past the last. */
export function seenText(t: SlideSparseTrace, window: number): string | null {
  const start = windowStart(t.params, window);
  const end = Math.min(start + WINDOW, t.window.cols) - 1;
  if (end < start) return null;
  return end === start ? `column ${start}` : `columns ${start} to ${end}`;
}

function lift(t: SlideSparseTrace, window: number): readonly Words[] {
  const seen = seenText(t, window);
  const name = strong(`window ${window}`);
  const group = Math.floor(window / windowsPerGroup(t.params));
  if (seen === null) return say`Group ${group}: ${name} lies past the last column and meets zeros.`;
  return say`Group ${group}: the word of ${name} repeats ${strong(seen)} as four bytes.`;
}

/** Bytes moved to quantise and lift a token's row: in one kernel, and in two. Activations are f16. */
export function liftingBytes(t: SlideSparseTrace): { readonly fused: number; readonly apart: number } {
  const { cols } = t.window;
  const lifted = WINDOW * usedWindows(cols, t.params);
  return { fused: 2 * cols + lifted, apart: 2 * cols + 2 * cols + lifted };
}

function fused(t: SlideSparseTrace): readonly Words[] {
  const { fused: one, apart } = liftingBytes(t);
  return say`One kernel quantises and lifts: ${strong(`${countText(one)} B`)} for this token. Two would move ${strong(`${countText(apart)} B`)}.`;
}

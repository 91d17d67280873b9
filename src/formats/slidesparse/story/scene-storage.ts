import { matrixPanel, memoryPanels, type MemoryStrip, rowFrame } from '../../../core/story/scene-parts.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import type { Mark, Panel } from '../../../core/story/scene.ts';
import { bitsText } from '../../../core/story/words.ts';
import { WINDOWS_PER_WORD } from '../layout.ts';
import { storedNumber } from './narration.ts';
import { KEPT, WINDOW } from '../params.ts';
import { METADATA_Y, type Picture, slotX, storedMarks, VALUES_Y } from './scene-slots.ts';
import { firstWindow, type Group, type SlideSparseStep, type SlideSparseTrace } from './trace.ts';

/** The arrays as bytes; `window` is the one stored in this step, counted over all rows. */
export function memory(
  t: SlideSparseTrace,
  stepNumber: number,
  window: number | null,
  group?: Group,
): readonly Panel[] {
  const e = t.encoded;
  const stored = t.stored[stepNumber];
  const focus = window ?? (group ? group.row * e.windowsPerRow + firstWindow(group, t.params) : 0);
  const strips: MemoryStrip[] = [
    {
      array: 'values',
      data: e.values,
      tone: (i) => (storedNumber(t, e.values[i]) === 0 ? 'padding' : 'values'),
      present: (i) => i < stored * KEPT,
      look: (i) => (window !== null && Math.floor(i / KEPT) === window ? { focus: true } : {}),
      focus: focus * KEPT,
    },
    {
      array: 'metadata',
      data: e.metadata,
      tone: 'indices',
      present: (i) => i * WINDOWS_PER_WORD < stored,
      look: (i) => (window !== null && Math.floor(window / WINDOWS_PER_WORD) === i ? { focus: true } : {}),
      focus: Math.floor(focus / WINDOWS_PER_WORD),
    },
  ];
  if (e.valueType === 'i8') {
    strips.push({
      array: 'scales',
      data: e.scales,
      tone: 'metadata',
      present: (i) => i * e.windowsPerRow < stored,
      focus: group?.row ?? 0,
    });
  }
  return memoryPanels(strips);
}

/** Steps of Compress that store no window of a group: a row's scale, and windows without non-zeros. */
export function storageScene(
  t: SlideSparseTrace,
  step: Extract<SlideSparseStep, { kind: 'scale' | 'fill' | 'nothing' }>,
  stepNumber: number,
): Picture {
  const row = 'row' in step ? step.row : 0;
  const windows = step.kind === 'fill' ? step : { window: 0, count: 0 };
  const panels: Panel[] = [matrixPanel(t.pruned, { row, rowsShown: 12, overlay: rowFrame(t.pruned, row) })];
  if (step.kind === 'fill') panels.push(fillPanel(t, step));
  const at = step.kind === 'fill' ? row * t.encoded.windowsPerRow + windows.window + windows.count - 1 : null;
  return { panels: [...panels, ...memory(t, stepNumber, at)], links: [] };
}

/** Windows that are drawn of a run without non-zeros. */
const FILLED_SHOWN = 6;

/** A run of windows without non-zeros: two zeros and the same nibble for each. Panel id 'fill'. */
function fillPanel(t: SlideSparseTrace, { row, window, count }: Extract<SlideSparseStep, { kind: 'fill' }>): Panel {
  const marks: Mark[] = [];
  const shown = Math.min(count, FILLED_SHOWN);
  for (let w = 0; w < shown; w++) {
    for (const mark of storedMarks(t, row, window + w, w, true, false)) {
      marks.push({ ...mark, y: mark.y - VALUES_Y });
    }
  }
  const perWindow = KEPT * VALUE_BITS[t.encoded.valueType] + 4;
  return {
    id: 'fill',
    title: `${count === 1 ? 'window' : 'windows'} without non-zeros`,
    caption: `${bitsText(perWindow)} each${shown < count ? `; the first ${shown} of ${count} are drawn` : ''}`,
    unit: 'slot',
    columns: slotX(shown - 1, WINDOW),
    rows: 3,
    rowLabels: [
      { at: 0, text: 'values' },
      { at: METADATA_Y - VALUES_Y, text: 'metadata' },
    ],
    focus: { x: 0, y: 0 },
    marks,
  };
}

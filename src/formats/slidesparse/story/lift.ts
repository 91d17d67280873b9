import { box, bracket } from '../../../story/marks.ts';
import { elementName } from '../../../story/scene-parts.ts';
import type { Mark, Panel } from '../../../story/scene.ts';
import { xText } from '../../../core/text/words.ts';
import { windowStart } from '../layout.ts';
import { KEPT, WINDOW, windowsPerGroup } from '../params.ts';
import type { SlideSparseTrace } from './facts.ts';

/** Cells from one window to the next: its four slots, and a gap. */
const PITCH = WINDOW + 1;

/**
 * The panel of a step that multiplies: x lifted, that is, copied window by window for a group; windows overlap, so
 * elements of x that are in two windows appear twice.
 * Source: SlideSparse paper, algorithm 1, pass 2.
 */
export function liftPanels(t: SlideSparseTrace, number: number): readonly Panel[] {
  const step = number === 0 ? null : t.steps[number - 1].detail;
  if (step?.kind !== 'product') return [];
  const { encoded: e, run, x, elementCells } = t;
  const values = run.encoding.arrays.findIndex(({ array }) => array.name === 'values');
  const read = elementCells.readBefore(step.decodedCell).findLast(([array]) => array === values);
  const window = Math.floor((read?.[1] ?? 0) / KEPT) % e.windowsPerRow;
  const multiplied = run.decoding.puts.columns[step.decodedCell];
  const perGroup = windowsPerGroup(e);
  const group = Math.floor(window / perGroup);
  const slot = (w: number, i: number): Mark => {
    const column = windowStart(e, w) + i;
    const isMultiplied = w === window && column === multiplied;
    const name = elementName('x', column);
    const isPast = column >= x.length;
    return box(`lifted ${w}.${i}`, (w - group * perGroup) * PITCH + i, 0, {
      tone: isPast ? 'padding' : isMultiplied ? 'format' : 'neutral',
      text: isPast ? '0' : xText(x[column]),
      label: isPast ? 'past the last column: 0' : `window ${w} reads ${name}`,
      ...(isMultiplied && { focus: true, level: 1 }),
      ...(!isPast && { highlightNames: [name], from: name }),
    });
  };
  const marks = Array.from({ length: perGroup }, (_, i) => group * perGroup + i).flatMap((w, i): Mark[] => [
    ...Array.from({ length: WINDOW }, (_slot, position) => slot(w, position)),
    bracket(`lifted window ${w}`, i * PITCH, 1.1, WINDOW, `window ${w}`, { tone: w === window ? 'format' : 'neutral' }),
  ]);
  return [
    {
      id: 'lifted',
      title: 'x, lifted',
      caption: `group ${group}: ${2 * e.halfGroup} columns in ${perGroup * WINDOW} slots`,
      unit: 'slot',
      columns: perGroup * PITCH - 1,
      rows: 2,
      rowLabels: [{ at: 0, text: 'x' }],
      focus: { x: (window - group * perGroup) * PITCH, y: 0 },
      marks,
    },
  ];
}

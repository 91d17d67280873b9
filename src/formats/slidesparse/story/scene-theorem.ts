import { box, bracket, frame, note } from '../../../core/story/marks.ts';
import type { Mark, Panel } from '../../../core/story/scene.ts';
import { counted } from '../../../core/story/words.ts';
import { overfull, patternText } from '../../../theory/sliding-windows.ts';
import type { Example, SlideSparseTrace } from './trace.ts';

/** A placement on general hardware: the columns, their windows, and the windows' slots. Panel id 'placement'. */
export function theoremPanels(t: SlideSparseTrace, index: number): readonly Panel[] {
  return [placementPanel(t.examples[index], index), roomPanel(t.examples[index], index)];
}

const BRACKETS_Y = 2.4;

function placementPanel({ sliding: s, columns, windowOf }: Example, index: number): Panel {
  const marks: Mark[] = [];
  const stuck = overfull(s, columns);
  for (let c = 0; c < s.pattern.group; c++) {
    const i = columns.indexOf(c);
    const taker = i < 0 ? null : windowOf[i];

    if (taker === null) {
      marks.push(box(`place ${index}.${c}`, c, 0, { state: 'dim', label: `column ${c}: zero` }));
      continue;
    }
    const by = taker < 0 ? 'none' : `w${taker}`;
    const label = taker < 0 ? `column ${c} has no place` : `column ${c} is taken by window ${taker}`;
    const focus = taker < 0 ? { focus: true } : {};
    marks.push(box(`place ${index}.${c}`, c, 0, { tone: 'values', level: 0.35, text: '×', label, ...focus }));
    marks.push(
      box(`taker ${index}.${c}`, c, 1.1, { tone: taker < 0 ? 'padding' : 'format', text: by, label, ...focus }),
    );
  }
  // Overlapping windows are drawn on different lines.
  const lines = Math.max(1, Math.ceil(s.hardware.window / s.stride));
  for (let w = 0; w < s.windows; w++) {
    const isStuck = stuck !== null && w >= stuck.firstWindow && w <= stuck.lastWindow;
    marks.push(
      bracket(
        `window ${index}.${w}`,
        w * s.stride + 0.06,
        BRACKETS_Y + 0.9 * (w % lines),
        s.hardware.window - 0.12,
        `window ${w}`,
        {
          tone: isStuck ? 'format' : 'neutral',
          label: `window ${w} takes ${s.hardware.kept} of columns ${w * s.stride} to ${w * s.stride + s.hardware.window - 1}`,
          ...(isStuck ? { focus: true } : {}),
        },
      ),
    );
  }
  if (stuck) {
    const x = stuck.columns[0];
    marks.push(
      frame(`stuck ${index}`, x, 0, stuck.columns[stuck.columns.length - 1] - x + 1, 1, {
        tone: 'format',
        label: `columns that no other window sees`,
      }),
    );
  }
  return {
    id: 'placement',
    title: `${patternText(s.pattern)} on ${patternText(s.hardware)}`,
    caption: `${counted(s.windows, 'window')}, ${s.stride} ${s.stride === 1 ? 'column' : 'columns'} apart`,
    unit: 'slot',
    columns: s.pattern.group,
    rows: BRACKETS_Y + 0.9 * Math.min(lines, s.windows),
    columnLabels: Array.from({ length: s.pattern.group }, (_, c) => ({ at: c, text: String(c) })),
    rowLabels: [
      { at: 0, text: 'non-zeros' },
      { at: 1.1, text: 'taken by' },
    ],
    focus: { x: 0, y: 0 },
    marks,
  };
}

/** Slots of all windows, non-zeros, and how many were placed, as bars. Panel id 'room'. */
function roomPanel({ sliding: s, columns, placed }: Example, index: number): Panel {
  const bars: readonly (readonly [string, number])[] = [
    ['capacity', s.capacity],
    ['non-zeros', columns.length],
    ['placed', placed],
  ];
  const scale = 75 / Math.max(s.capacity, columns.length);
  const marks = bars.flatMap(([name, count], i): Mark[] => [
    box(`${name} ${index}`, 0, i * 1.25, {
      w: Math.max(0.1, count * scale),
      tone: name === 'placed' ? 'format' : 'neutral',
      level: 1,
      label: `${name}: ${count}`,
      ...(name === 'placed' && placed < columns.length ? { focus: true } : {}),
    }),
    note(`${name} words ${index}`, count * scale + 1, i * 1.25, 20, String(count)),
  ]);
  return {
    id: 'room',
    title: 'is there room?',
    unit: 'bar',
    columns: 100,
    rows: (bars.length - 1) * 1.25 + 1,
    rowLabels: bars.map(([name], i) => ({ at: i * 1.25, text: name })),
    marks,
  };
}

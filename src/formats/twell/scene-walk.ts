import { curve, slotPanel } from '../../core/scene-parts.ts';
import { vectorPanels } from '../../core/scene-vectors.ts';
import type { Link, Panel } from '../../core/scene.ts';
import { valueText } from '../../core/words.ts';
import { activationsPanel, packedPanel, type Picture, type Place } from './scene-tiles.ts';
import { cellsOf, type TwellStep, type TwellTrace } from './trace.ts';

type RowStep = Extract<TwellStep, { kind: 'row' }>;
type WalkStep = Extract<TwellStep, { kind: 'walk' | 'walked' }>;

/** Chapter 5, first part: y = h x, a token at a time. */
export function rowScene(t: TwellTrace, { row }: RowStep, stepNumber: number): Picture {
  const place: Place = { row, tile: null, small: true };
  const reads = cellsOf(t.kept, row, 0, t.window.cols);
  return {
    panels: [
      activationsPanel(t, place),
      packedPanel(t, place, stepNumber),
      ...vectorPanels({
        x: t.x,
        reads,
        y: (r) => (r <= row ? t.sums[r] : null),
        rows: t.window.rows,
        writes: [row],
      }),
    ],
    links: [],
  };
}

/** Chapter 5, second part: one non-zero of one token meets a column of Wu and a row of Wd. */
export function walkScene(t: TwellTrace, step: WalkStep, stepNumber: number): Picture {
  const { entries, row } = t.walk;
  const number = step.kind === 'walk' ? step.entry : entries.length - 1;
  const { element, tile, column } = entries[number];
  const place: Place = step.kind === 'walk' ? { row, tile, element, small: true } : { row, tile: null, small: true };
  const about = step.kind === 'walk' ? step.about : 'walked';
  const links: Link[] = step.kind === 'walk' && about === 'entry' ? [curve(`value ${element}`, `up[0]`)] : [];
  if (about === 'down') links.push(curve('u[0]', 'down[0]'));
  return {
    panels: [
      activationsPanel(t, place, (r, c) => (r === row && c === column ? { focus: true } : { focus: false })),
      packedPanel(t, place, stepNumber),
      ...blockPanels(t, number, about),
    ],
    links,
  };
}

/** x, the column of Wu, u, the row of Wd and y, each as a line of slots. */
function blockPanels(
  { block, walk }: TwellTrace,
  number: number,
  about: 'entry' | 'up' | 'down' | 'walked',
): readonly Panel[] {
  const { width, x, up, down } = block;
  const { column, u, h, y } = walk.entries[number];
  const before = number > 0 ? walk.entries[number - 1].y : new Float64Array(width);
  const isAdded = about === 'down' || about === 'walked';
  const isMultiplied = about !== 'entry';
  return [
    slotPanel({
      id: 'up',
      title: 'up',
      caption: `x of the token, column ${column} of Wu`,
      focus: 0,
      band: 10,
      lines: [
        {
          array: 'x',
          length: width,
          tone: 'neutral',
          text: (k) => valueText(x[k]),
          look: () => (about === 'up' ? { focus: true } : {}),
        },
        {
          array: 'up',
          length: width,
          tone: 'neutral',
          text: (k) => valueText(up[column * width + k]),
          look: () => (about === 'up' ? { focus: true } : {}),
        },
      ],
    }),
    slotPanel({
      id: 'h and u',
      title: 'h and u',
      caption: 'of this neuron',
      focus: 0,
      band: 10,
      lines: [
        {
          array: 'h',
          length: 1,
          tone: 'values',
          text: () => valueText(h),
          look: () => (about === 'entry' ? { focus: true } : {}),
        },
        {
          array: 'u',
          length: 1,
          tone: 'format',
          text: () => valueText(u),
          present: () => isMultiplied,
          look: () => (about === 'up' ? { focus: true } : {}),
        },
      ],
    }),
    slotPanel({
      id: 'down',
      title: 'down',
      caption: `row ${column} of Wd, and the output`,
      focus: 0,
      band: 10,
      lines: [
        {
          array: 'down',
          length: width,
          tone: 'neutral',
          text: (k) => valueText(down[column * width + k]),
          look: () => (about === 'down' ? { focus: true } : {}),
        },
        {
          array: 'y',
          length: width,
          tone: 'format',
          text: (k) => valueText(isAdded ? y[k] : before[k]),
          look: () => (about === 'down' ? { focus: true } : {}),
        },
      ],
    }),
  ];
}

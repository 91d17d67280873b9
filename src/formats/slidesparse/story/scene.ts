import type { Link, Mark, Panel, Scene } from '../../../core/story/scene.ts';
import { overfull, patternText } from '../../../theory/sliding-windows.ts';
import { type Example, firstWindow, type Group, type SlideSparseStep, type SlideSparseTrace } from './trace.ts';
import { codeOf } from './code.ts';
import { activationAt, narrate, productsOf, productText } from './narration.ts';
import { groupScene, pruneScene, ROWS_ABOVE } from './scene-group.ts';
import { liftScene } from './scene-lift.ts';
import { accuracyPanel, paysPanel } from './scene-pays.ts';
import { type Picture, slidWidth, slotX } from './scene-slots.ts';
import { storageScene } from './scene-storage.ts';
import { box, bracket, frame, note } from '../../../core/story/marks.ts';
import { counted, valueText } from '../../../core/story/words.ts';
import { cellName, elementName, matrixPanel, rowFrame, slotPanel } from '../../../core/story/scene-parts.ts';
import { windowStart } from '../layout.ts';
import { WINDOW, windowsPerGroup } from '../params.ts';

/** A placement on general hardware: the columns, their windows, and the windows' slots. Panel id 'placement'. */
function theoremPanels(t: SlideSparseTrace, index: number): readonly Panel[] {
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
    ['room', s.capacity],
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

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: SlideSparseTrace, stepNumber: number): Scene {
  const step = stepNumber === 0 ? null : t.steps[stepNumber - 1].detail;
  const { panels, links } = picture(t, step, stepNumber);
  // Of large windows only a page is drawn: a link is left out if one of its ends is not drawn.
  const drawn = new Set(panels.flatMap((panel) => panel.marks.map((mark) => mark.id)));
  return {
    panels,
    links: links.filter((link) => drawn.has(link.from) && drawn.has(link.to)),
    narration: narrate(t, step, stepNumber),
    code: codeOf(t, step),
  };
}

function picture(t: SlideSparseTrace, step: SlideSparseStep | null, stepNumber: number): Picture {
  switch (step?.kind) {
    case undefined:
    case 'fits':
      return pruneScene(t, undefined, false);
    case 'accuracy':
      return { panels: [accuracyPanel()], links: [] };
    case 'prune':
      return pruneScene(t, t.groups[step.group], true);
    case 'slide':
    case 'compress':
      return groupScene(t, step, stepNumber);
    case 'scale':
    case 'fill':
    case 'nothing':
      return storageScene(t, step, stepNumber);
    case 'in-place':
    case 'absmax':
    case 'quantise':
    case 'lift':
    case 'fused':
      return liftScene(t, step);
    case 'multiply':
    case 'sum':
      return multiplyScene(t, step, stepNumber);
    case 'pays':
      return { panels: [paysPanel(t, step.about)], links: [] };
    case 'theorem':
      return { panels: theoremPanels(t, step.example), links: [] };
  }
}

type MultiplyStep = Extract<SlideSparseStep, { kind: 'multiply' | 'sum' }>;

/** Multiply: the group's windows, their activations, the products, and y. */
function multiplyScene(t: SlideSparseTrace, step: MultiplyStep, stepNumber: number): Picture {
  const group = step.kind === 'multiply' ? t.groups[step.group] : null;
  const row = step.kind === 'sum' ? step.row : t.groups[step.group].row;
  const width = 2 * t.params.halfGroup;
  const above = matrixPanel(t.pruned, {
    row,
    rowsShown: group ? ROWS_ABOVE : 12,
    overlay: rowFrame(t.pruned, row),
    look: (r, c) => (r !== row || (group && Math.floor(c / width) !== group.group) ? { state: 'dim' } : {}),
  });
  const panels: Panel[] = [above];
  const links: Link[] = [];
  if (group && step.kind === 'multiply') {
    panels.push(productsPanel(t, group, step.window - firstWindow(group, t.params)));
    const last = productsOf(t, row, step.window).at(-1);
    if (last) {
      const from = `product ${step.window}.${last.slot}`;
      links.push({ id: 'add', from, to: elementName('y', row), kind: 'curve', tone: 'neutral' });
    }
  }
  panels.push(sumsPanel(t, row, step.kind === 'sum', stepNumber));
  return { panels, links };
}

/** Weights, activations and products of a group's windows, slot by slot. Panel id 'products'. */
function productsPanel(t: SlideSparseTrace, group: Group, now: number): Panel {
  const perGroup = windowsPerGroup(t.params);
  const first = firstWindow(group, t.params);
  const marks: Mark[] = [];
  for (let w = 0; w < perGroup; w++) {
    const products = new Map(productsOf(t, group.row, first + w).map((p) => [p.slot, p]));
    const start = windowStart(t.params, first + w);
    for (let i = 0; i < WINDOW; i++) {
      const column = start + i;
      const left = slotX(w, i);
      const met = products.get(i);
      const focus = met && w === now ? { focus: true } : {};
      const about = [cellName(group.row, column)];
      marks.push(
        met
          ? box(`factor ${first + w}.${i}`, left, 0, {
              tone: 'values',
              text: valueText(met.weight),
              label: `slot ${i}: ${valueText(met.weight)}`,
              about,
              ...focus,
            })
          : box(`factor ${first + w}.${i}`, left, 0, { state: 'dim', label: `slot ${i}: left out` }),
      );
      marks.push(
        box(`activation ${first + w}.${i}`, left, 1.1, {
          tone: t.quantised ? 'format' : 'neutral',
          text: valueText(activationAt(t, column)),
          label: column < t.window.cols ? `x[${column}]: ${valueText(activationAt(t, column))}` : 'past the row: 0',
          about: [elementName('x', column)],
          ...(met ? focus : { state: 'dim' }),
        }),
      );
      if (!met) continue;
      const text = productText(t, met.product);
      marks.push(
        box(`product ${first + w}.${i}`, left, 2.2, {
          tone: 'format',
          text,
          about,
          ...(w <= now
            ? { label: `${valueText(met.weight)} times ${valueText(met.x)}: ${text}` }
            : { state: 'ghost', label: 'not multiplied yet' }),
          ...focus,
        }),
      );
    }
    const total = [...products.values()].reduce((sum, { product }) => sum + product, 0);
    marks.push(
      bracket(`total ${w}`, slotX(w, 0), 3.25, WINDOW, w <= now ? productText(t, total) : '', {
        tone: w === now ? 'format' : 'neutral',
        label:
          w <= now ? `window ${first + w} adds ${productText(t, total)}` : `window ${first + w}: not multiplied yet`,
      }),
    );
  }
  return {
    id: 'products',
    title: `row ${group.row}, group ${group.group}`,
    caption: t.quantised ? 'in steps of the two scales' : 'two of four slots per window',
    unit: 'slot',
    columns: slidWidth(t.params),
    rows: 4.2,
    rowLabels: [
      { at: 0, text: 'values' },
      { at: 1.1, text: t.quantised ? 'lifted x' : 'x read' },
      { at: 2.2, text: 'products' },
    ],
    focus: { x: slotX(now, WINDOW / 2), y: 0 },
    marks,
  };
}

function sumsPanel(t: SlideSparseTrace, row: number, done: boolean, stepNumber: number): Panel {
  const sums = t.y[stepNumber];
  return slotPanel({
    id: 'y',
    focus: row,
    lines: [
      {
        array: 'y',
        length: sums.length,
        tone: 'format',
        text: (i) => valueText(sums[i]),
        present: (i) => i <= row,
        look: (i) => (i === row ? { focus: true, level: done ? 0.35 : 0 } : {}),
      },
    ],
  });
}

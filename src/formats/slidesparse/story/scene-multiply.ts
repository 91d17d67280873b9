import { box, bracket, frame, notThereYet } from '../../../core/story/marks.ts';
import { cellName, elementName, matrixPanel, rowFrame, slotPanel } from '../../../core/story/scene-parts.ts';
import type { Link, Mark, Panel } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { usedWindows, windowStart } from '../layout.ts';
import { lift } from './lift.ts';
import { activationAt, productsOf, productText } from './narration.ts';
import { windowsPerGroup, WINDOW } from '../params.ts';
import { ROWS_ABOVE } from './scene-group.ts';
import { type Picture, slidWidth, slotX } from './scene-slots.ts';
import { firstWindow, type Group, type SlideSparseStep, type SlideSparseTrace } from './trace.ts';

type LiftStep = Extract<SlideSparseStep, { kind: 'absmax' | 'quantise' | 'lift' }>;

/** Lift: the activations, what they are rounded to, and the windows that repeat them. */
export function liftScene(t: SlideSparseTrace, step: LiftStep | null): Picture {
  const window = step?.kind === 'lift' ? step.window : -1;
  const panels: Panel[] = [activationsPanel(t, step)];
  const links: Link[] = [];
  if (step?.kind === 'lift') {
    panels.push(liftedPanel(t, window));
    const start = windowStart(t.params, window);
    if (start < t.window.cols) {
      const from = elementName(t.quantised ? 'i8' : 'x', start);
      links.push({ id: 'lift', from, to: `lifted ${window}.0`, kind: 'curve', tone: 'neutral' });
    }
  }
  return { panels, links };
}

/** x, and for i8 what it is rounded to, with the window that is lifted framed. Panel id 'x'. */
function activationsPanel(t: SlideSparseTrace, step: LiftStep | null): Panel {
  const { activations, quantised } = t;
  const start = step?.kind === 'lift' ? windowStart(t.params, step.window) : -WINDOW;
  const largest = activations.findIndex((v) => Math.abs(v) === quantised?.absmax);
  const inWindow = (i: number): boolean => i >= start && i < start + WINDOW;
  const known = step !== null && step.kind !== 'absmax';
  const caption = [
    ...(quantised ? [`scale ${quantised.scale.toPrecision(3)}`] : []),
    ...(step?.kind === 'lift' ? [liftedText(t, step.window)] : []),
  ];
  const panel = slotPanel({
    id: 'x',
    title: 'activations',
    ...(caption.length > 0 ? { caption: caption.join('; ') } : {}),
    focus: step?.kind === 'lift' ? Math.min(start + 2, t.window.cols - 1) : Math.max(0, largest),
    lines: [
      {
        array: 'x',
        length: activations.length,
        tone: 'neutral',
        text: (i) => valueText(activations[i]),
        look: (i) => (step?.kind === 'absmax' && i === largest ? { focus: true } : {}),
      },
      ...(quantised
        ? [
            {
              array: 'i8',
              length: activations.length,
              tone: 'format' as const,
              text: (i: number) => valueText(quantised.values[i]),
              present: () => known,
              look: (i: number) => (step?.kind === 'quantise' || inWindow(i) ? { focus: true } : {}),
              from: (i: number) => elementName('x', i),
            },
          ]
        : []),
    ],
  });
  if (start < 0 || start >= t.window.cols) return panel;
  const outline = frame('at work', start, quantised ? 1 : 0, Math.min(WINDOW, t.window.cols - start), 1, {
    tone: 'format',
    label: `columns ${start} to ${start + WINDOW - 1}`,
  });
  return { ...panel, marks: [...panel.marks, outline] };
}

/** How much longer a group gets; said above the activations, since a curve comes down to the lifted ones. */
function liftedText({ params }: SlideSparseTrace, window: number): string {
  const perGroup = windowsPerGroup(params);
  return `group ${Math.floor(window / perGroup)}: ${2 * params.halfGroup} in ${perGroup * WINDOW} slots`;
}

/** The windows of one group with the activations that they repeat. Panel id 'lifted'. */
function liftedPanel(t: SlideSparseTrace, window: number): Panel {
  const perGroup = windowsPerGroup(t.params);
  const group = Math.floor(window / perGroup);
  const words = t.quantised ? lift(t.quantised.values, t.params.halfGroup, usedWindows(t.window.cols, t.params)) : null;
  const marks: Mark[] = [];
  for (let w = 0; w < perGroup; w++) {
    const current = group * perGroup + w;
    const present = current <= window;
    const start = windowStart(t.params, current);
    for (let i = 0; i < WINDOW; i++) {
      const column = start + i;
      const text = valueText(activationAt(t, column));
      const behind = column >= t.window.cols;
      marks.push(
        box(`lifted ${current}.${i}`, slotX(w, i), 0, {
          tone: behind ? 'padding' : t.quantised ? 'format' : 'neutral',
          text,
          ...(present
            ? { label: behind ? `past the row: 0` : `x[${column}]: ${text}`, about: [elementName('x', column)] }
            : notThereYet(`x[${column}]`)),
          ...(behind || !present ? {} : { from: elementName(t.quantised ? 'i8' : 'x', column) }),
          ...(current === window ? { focus: true } : {}),
        }),
      );
    }
    const hex = words ? `0x${words[current].toString(16).padStart(8, '0')}` : `columns ${start} to ${start + 3}`;
    marks.push(
      bracket(`word ${w}`, slotX(w, 0), 1.1, WINDOW, present ? hex : '', {
        tone: current === window ? 'format' : 'neutral',
        label: present ? `window ${w + 1}: ${hex}` : `window ${w + 1}: not there yet`,
      }),
    );
  }
  return {
    id: 'lifted',
    unit: 'slot',
    columns: slidWidth(t.params),
    rows: 2,
    rowLabels: [{ at: 0, text: 'lifted' }],
    focus: { x: slotX(window % perGroup, WINDOW / 2), y: 0 },
    marks,
  };
}

type MultiplyStep = Extract<SlideSparseStep, { kind: 'multiply' | 'sum' }>;

/** Multiply: the group's windows, the activations they meet, the products, and y. */
export function multiplyScene(t: SlideSparseTrace, step: MultiplyStep, stepNumber: number): Picture {
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
        label: w <= now ? `window ${w + 1} adds ${productText(t, total)}` : `window ${w + 1}: not multiplied yet`,
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
      { at: 1.1, text: 'lifted x' },
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

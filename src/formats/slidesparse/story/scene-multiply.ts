import { box, bracket } from '../../../core/story/marks.ts';
import { cellName, elementName, matrixPanel, rowFrame, slotPanel } from '../../../core/story/scene-parts.ts';
import type { Link, Mark, Panel } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { windowStart } from '../layout.ts';
import { activationAt, productsOf, productText } from './narration.ts';
import { windowsPerGroup, WINDOW } from '../params.ts';
import { ROWS_ABOVE } from './scene-group.ts';
import { type Picture, slidWidth, slotX } from './scene-slots.ts';
import { firstWindow, type Group, type SlideSparseStep, type SlideSparseTrace } from './trace.ts';

type MultiplyStep = Extract<SlideSparseStep, { kind: 'multiply' | 'sum' }>;

/** Multiply: the group's windows, their activations, the products, and y. */
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

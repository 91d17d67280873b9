import { barsPanel, type Bar } from '../../../core/story/bars-panel.ts';
import { box, bracket, frame, notThereYet } from '../../../core/story/marks.ts';
import { elementName, slotPanel } from '../../../core/story/scene-parts.ts';
import type { Link, Mark, Panel } from '../../../core/story/scene.ts';
import { countText, valueText } from '../../../core/story/words.ts';
import { usedWindows, windowStart } from '../layout.ts';
import { windowsPerGroup, WINDOW } from '../params.ts';
import { lift } from './lift.ts';
import { liftingBytes, type LiftStep } from './narration-lift.ts';
import { type Picture, slidWidth, slotX } from './scene-slots.ts';
import type { SlideSparseTrace } from './trace.ts';

/** Lift: the activations, their rounded values, and the windows that repeat them. */
export function liftScene(t: SlideSparseTrace, step: LiftStep): Picture {
  switch (step.kind) {
    case 'in-place':
      return { panels: [activationsPanel(t, step), liftedPanel(t, windowsPerGroup(t.params) - 1, 'x')], links: [] };
    case 'fused':
      return { panels: [activationsPanel(t, step), bytesPanel(t)], links: [] };
    case 'lift': {
      const start = windowStart(t.params, step.window);
      const to = `lifted ${step.window}.0`;
      const link: Link = { id: 'lift', from: elementName('i8', start), to, kind: 'curve', tone: 'neutral' };
      return {
        panels: [activationsPanel(t, step), liftedPanel(t, step.window, 'i8')],
        links: start < t.window.cols ? [link] : [],
      };
    }
    default:
      return { panels: [activationsPanel(t, step)], links: [] };
  }
}

/** What moving a token's row costs, fused and separate. Panel id 'lifting bytes'. */
function bytesPanel(t: SlideSparseTrace): Panel {
  const { fused, apart } = liftingBytes(t);
  const bar = (id: string, label: string, value: number, strong: boolean): Bar => ({
    id,
    label,
    strong,
    parts: [{ value, tone: strong ? 'format' : 'neutral' }],
    words: `${countText(value)} B`,
  });
  return barsPanel({
    id: 'lifting bytes',
    title: 'bytes that move',
    caption: 'a token of f16, quantised and lifted',
    bars: [bar('two kernels', 'two kernels', apart, false), bar('one kernel', 'one kernel', fused, true)],
  });
}

/** x and its rounded values, with the window that is lifted framed. Panel id 'x'. */
function activationsPanel(t: SlideSparseTrace, step: LiftStep): Panel {
  const { activations, lifting } = t;
  const start = step.kind === 'lift' ? windowStart(t.params, step.window) : -WINDOW;
  const largest = activations.findIndex((v) => Math.abs(v) === lifting.absmax);
  const inWindow = (i: number): boolean => i >= start && i < start + WINDOW;
  const isQuantised = step.kind !== 'in-place';
  const known = step.kind !== 'absmax';
  const caption = [
    ...(isQuantised ? [`scale ${lifting.scale.toPrecision(3)}`] : []),
    ...(step.kind === 'lift' ? [liftedText(t, step.window)] : []),
  ];
  const panel = slotPanel({
    id: 'x',
    title: 'activations',
    ...(caption.length > 0 ? { caption: caption.join('; ') } : {}),
    focus: step.kind === 'lift' ? Math.min(start + 2, t.window.cols - 1) : Math.max(0, largest),
    lines: [
      {
        array: 'x',
        length: activations.length,
        tone: 'neutral',
        text: (i) => valueText(activations[i]),
        look: (i) => (step.kind === 'absmax' && i === largest ? { focus: true } : {}),
      },
      ...(isQuantised
        ? [
            {
              array: 'i8',
              length: activations.length,
              tone: 'format' as const,
              text: (i: number) => valueText(lifting.values[i]),
              present: () => known,
              look: (i: number) => (step.kind === 'quantise' || inWindow(i) ? { focus: true } : {}),
              from: (i: number) => elementName('x', i),
            },
          ]
        : []),
    ],
  });
  if (start < 0 || start >= t.window.cols) return panel;
  const outline = frame('at work', start, 1, Math.min(WINDOW, t.window.cols - start), 1, {
    tone: 'format',
    label: `columns ${start} to ${start + WINDOW - 1}`,
  });
  return { ...panel, marks: [...panel.marks, outline] };
}

/** How much longer a group becomes; written above the activations, since a curve comes down to the lifted ones. */
function liftedText({ params }: SlideSparseTrace, window: number): string {
  const perGroup = windowsPerGroup(params);
  return `group ${Math.floor(window / perGroup)}: ${2 * params.halfGroup} in ${perGroup * WINDOW} slots`;
}

/** The windows of one group with the activations that they read in place, or repeat as bytes. Panel id 'lifted'. */
function liftedPanel(t: SlideSparseTrace, window: number, of: 'x' | 'i8'): Panel {
  const perGroup = windowsPerGroup(t.params);
  const group = Math.floor(window / perGroup);
  const isBytes = of === 'i8';
  const words = isBytes ? lift(t.lifting.values, t.params.halfGroup, usedWindows(t.window.cols, t.params)) : null;
  const read: ArrayLike<number> = isBytes ? t.lifting.values : t.activations;
  const marks: Mark[] = [];
  for (let w = 0; w < perGroup; w++) {
    const current = group * perGroup + w;
    const present = current <= window;
    const start = windowStart(t.params, current);
    for (let i = 0; i < WINDOW; i++) {
      const column = start + i;
      const text = valueText(read[column] ?? 0);
      const behind = column >= t.window.cols;
      marks.push(
        box(`lifted ${current}.${i}`, slotX(w, i), 0, {
          tone: behind ? 'padding' : isBytes ? 'format' : 'neutral',
          text,
          ...(present
            ? { label: behind ? `past the row: 0` : `x[${column}]: ${text}`, about: [elementName('x', column)] }
            : notThereYet(`x[${column}]`)),
          ...(behind || !present ? {} : { from: elementName(of, column) }),
          ...(isBytes && current === window ? { focus: true } : {}),
        }),
      );
    }
    const hex = words ? `0x${words[current].toString(16).padStart(8, '0')}` : `columns ${start} to ${start + 3}`;
    marks.push(
      bracket(`word ${w}`, slotX(w, 0), 1.1, WINDOW, present ? hex : '', {
        tone: isBytes && current === window ? 'format' : 'neutral',
        label: present ? `window ${current}: ${hex}` : `window ${current}: not there yet`,
      }),
    );
  }
  return {
    id: 'lifted',
    unit: 'slot',
    columns: slidWidth(t.params),
    rows: 2,
    rowLabels: [{ at: 0, text: isBytes ? 'lifted' : 'read' }],
    focus: { x: slotX(window % perGroup, WINDOW / 2), y: 0 },
    marks,
  };
}

import { BYTE_CLASSES, type StorageLedger } from '../encoded/ledger.ts';
import { density } from '../matrix/index.ts';
import { barsPanel, type Bar } from './bars-panel.ts';
import { matrixPanel } from './scene-parts.ts';
import type { Panel, Scene, Words } from './scene.ts';
import type { Trace } from './trace.ts';
import { capitalised, countText, say, strong, valueText } from './words.ts';

/** What a format declares of itself for the first step of its story. */
export interface Opening<P> {
  /** its name beside its bar */
  readonly title: string;
  /** the window's bytes as they are stored */
  ledger(t: Trace): StorageLedger;
  /** as on its card: what decides the size, as a clause */
  sizeReason(density: number, p: P, shape: { rows: number; cols: number }): string;
  /** the same of the window itself, where the clause on the card is about random positions */
  foundReason?(t: Trace): string;
  /** what its matrices are; default: weights */
  readonly holds?: 'weights' | 'activations';
}

/** Rows of the window that stand above the bars. */
const ROWS_SHOWN = 12;

/** What a story has that an opening changes. */
interface Told<D> {
  scene(t: Trace<D>, step: number): Scene;
}

/**
 * A story whose step 0, before anything happens, says why bytes decide and shows what all cells and this format take of
 * the window; the format's own opening words follow. A window without cells keeps the format's own step 0.
 */
export function withOpening<P, D, S extends Told<D>>(
  story: S & Told<D>,
  opening: Opening<P>,
): S & { ledger(t: Trace): StorageLedger } {
  return {
    ...story,
    ledger: (t) => opening.ledger(t),
    scene: (t: Trace<D>, step: number) =>
      step === 0 ? openingScene(story.scene(t, 0), t, opening) : story.scene(t, step),
  };
}

function openingScene<P>(own: Scene, t: Trace, opening: Opening<P>): Scene {
  const ledger = opening.ledger(t);
  if (ledger.effectiveDensity === 0) return own;
  const drawn = own.panels.find(({ id }) => id === 'matrix');
  const { band: _, ...panel } = drawn ?? matrixPanel(t.window, { row: 0, rowsShown: ROWS_SHOWN });
  // Lines that the format keeps free for later steps would part cells and bars.
  const rows = panel.marks.reduce((most, { y, h }) => Math.max(most, y + h), panel.grid?.rows ?? 1);
  const matrix = { ...panel, rows };
  return {
    ...own,
    panels: [matrix, bytesPanel(t, ledger, opening)],
    links: [],
    narration: [...why(opening.holds ?? 'weights'), ...own.narration],
  };
}

/** Why the bytes of the format are what its time is made of. */
function why(holds: 'weights' | 'activations'): readonly Words[] {
  return holds === 'weights'
    ? say`A token reads each weight once: ${strong('bytes decide the time')}. `
    : say`Each zero activation saves weights: ${strong('bytes decide the time')}. `;
}

/** What all cells and the format take of the window, one bar each. Panel id 'bytes to read'. */
function bytesPanel<P>(t: Trace, ledger: StorageLedger, { title, sizeReason, foundReason }: Opening<P>): Panel {
  const { rows, cols } = t.window;
  const dense = Math.round(ledger.totalBytes / ledger.effectiveDensity);
  const share = density(t.window);
  const own: Bar = {
    id: 'stored bytes',
    label: title,
    strong: true,
    parts: BYTE_CLASSES.map((byteClass) => ({
      value: ledger.totalBits[byteClass] / 8,
      tone: byteClass,
      label: `${title}, ${byteClass}: ${valueText(ledger.totalBits[byteClass] / 8)} bytes`,
    })),
    words: `${countText(ledger.totalBytes)} B`,
  };
  const whole: Bar = {
    id: 'dense bytes',
    label: 'every cell',
    parts: [
      { value: dense * share, tone: 'values', label: `every cell, non-zeros: ${valueText(dense * share)} bytes` },
      {
        value: dense * (1 - share),
        tone: 'padding',
        label: `every cell, zeros: ${valueText(dense * (1 - share))} bytes`,
      },
    ],
    words: `${countText(dense)} B`,
  };
  return barsPanel({
    id: 'bytes to read',
    title: 'bytes to read',
    caption: capitalised(foundReason?.(t) ?? sizeReason(share, t.params as P, { rows, cols })),
    bars: [whole, own],
  });
}

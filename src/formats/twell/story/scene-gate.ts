import { type SlotLine, slotPanel } from '../../../core/story/scene-parts.ts';
import type { Link, Panel } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import type { GateTile } from './gate.ts';
import { activationsPanel, FEW_ROWS, type Picture } from './scene-activations.ts';
import { nowPanel } from './scene-packed.ts';
import type { TwellStep, TwellTrace } from './trace.ts';

export type GateStep = Extract<TwellStep, { kind: 'gate' }>;

/** The tile of the gate GEMM: a token's inputs times the tile's columns of Wg, ReLU, and what the epilogue stores. */
export function gateScene(t: TwellTrace, { about }: GateStep): Picture {
  const { gate } = t;
  if (!gate) return { panels: [activationsPanel(t, { row: 0, tile: null })], links: [] };
  const { row, tile, kept } = gate;
  const place = { row, tile, max: FEW_ROWS };
  const panels: Panel[] = [activationsPanel(t, place), tilePanel(gate, about)];
  const links: Link[] = [];
  if (about === 'epilogue') {
    panels.push(nowPanel(t, place, tile, t.packedAt[row * t.encoded.tiles + tile]));
    for (const [i, { column, element }] of kept.slice(0, MAX_LINKS).entries())
      links.push({ id: `keep ${i}`, from: `h[${column}]`, to: `now value ${element}`, kind: 'curve', tone: 'neutral' });
  }
  return { panels, links };
}

/** With more links than this the picture is unreadable. */
const MAX_LINKS = 8;

/** The token's inputs, the tile's columns of Wg, their products, and h. Panel id 'gate tile'. */
function tilePanel({ x, row, weights, sums, kept, width, tile, from }: GateTile, about: GateStep['about']): Panel {
  const stored = new Set(kept.map(({ column }) => column));
  const rows = weights.map((weight, k): SlotLine => ({
    array: `Wg ${k}`,
    length: width,
    tone: 'neutral',
    text: (c) => valueText(weight[c]),
    look: () => (about === 'product' ? {} : { state: 'dim' }),
  }));
  const inputs: SlotLine = {
    array: 'x',
    length: x.length,
    tone: 'neutral',
    text: (k) => valueText(x[k]),
    look: () => (about === 'product' ? { focus: true } : {}),
  };
  return slotPanel({
    id: 'gate tile',
    title: `tile ${tile} of x Wg, token ${row}`,
    caption: `columns ${from} to ${from + width - 1}, in one workgroup`,
    focus: kept[0]?.column ?? 0,
    lines: [
      // What the epilogue stores is drawn right below: a narrow screen has no room for the factors as well.
      ...(about === 'epilogue' ? [] : [inputs, ...rows]),
      {
        array: 'x Wg',
        length: width,
        tone: (c) => (stored.has(c) ? 'values' : 'neutral'),
        text: (c) => valueText(sums[c]),
        look: () => (about === 'product' ? { focus: true } : {}),
      },
      {
        array: 'h',
        length: width,
        tone: (c) => (stored.has(c) ? 'values' : 'padding'),
        text: (c) => (stored.has(c) ? valueText(sums[c]) : '0'),
        present: () => about !== 'product',
        look: (c) => (about === 'relu' || stored.has(c) ? { focus: true } : {}),
        from: (c) => `x Wg[${c}]`,
      },
    ],
  });
}

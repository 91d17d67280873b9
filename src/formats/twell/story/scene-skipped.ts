import { VALUE_BITS } from '../../../core/number/index.ts';
import type { Panel } from '../../../core/story/scene.ts';
import { BYTE_CLASSES } from '../../../core/encoded/ledger.ts';
import { bitsText, countText, valueText } from '../../../core/story/words.ts';
import { barsPanel } from '../../../core/story/bars-panel.ts';
import type { TwellStep, TwellTrace } from './trace.ts';

type About = Extract<TwellStep, { kind: 'skipped' }>['about'];

/** Chapter 7: what is not computed and not stored. */
export function skippedPanel(t: TwellTrace, about: About): Panel {
  switch (about) {
    case 'adds':
      return addsPanel(t);
    case 'bytes':
      return bytesPanel(t);
    case 'limit':
      return limitPanel(t);
  }
}

/** Multiply-adds per input or output of the block, K of them each, for all tokens, including those that do not fit. */
function addsPanel({ window: { rows, cols, nnz } }: TwellTrace): Panel {
  const cells = rows * cols;
  const line = (id: string, label: string, value: number, isSparse: boolean) => ({
    id,
    label,
    strong: isSparse,
    parts: [{ value, tone: isSparse ? ('format' as const) : ('neutral' as const) }],
    words: countText(value),
  });
  return barsPanel({
    id: 'adds',
    title: 'multiply-adds',
    caption: 'per input or output of the block; K times that in total',
    bars: [
      line('gate', 'gate', cells, false),
      line('dense up', 'up, dense', cells, false),
      line('sparse up', 'up, TwELL', nnz, true),
      line('dense down', 'down, dense', cells, false),
      line('sparse down', 'down, TwELL', nnz, true),
    ],
  });
}

/** The window's bytes by class, below those of dense. */
function bytesPanel({ kept, ledger, encoded }: TwellTrace): Panel {
  const dense = (kept.rows * kept.cols * VALUE_BITS[encoded.valueType]) / 8;
  return barsPanel({
    id: 'bytes',
    title: 'bytes of this window',
    caption: `${valueText(ledger.effectiveDensity)} of dense ${encoded.valueType}`,
    bars: [
      { id: 'dense', label: 'dense', parts: [{ value: dense, tone: 'neutral' }], words: `${countText(dense)} B` },
      {
        id: 'stored',
        label: 'TwELL',
        strong: true,
        parts: BYTE_CLASSES.map((byteClass) => ({
          value: ledger.totalBits[byteClass] / 8,
          tone: byteClass,
          label: `${byteClass}: ${bitsText(ledger.totalBits[byteClass])}`,
        })),
        words: `${countText(ledger.totalBytes)} B`,
      },
    ],
  });
}

/** The upper bound on the gain of skipping, by density: three GEMMs against one and two walks. */
function limitPanel({ window: { rows, cols, nnz } }: TwellTrace): Panel {
  const density = rows * cols === 0 ? 0 : nnz / (rows * cols);
  const speed = (d: number): number => 3 / (1 + 2 * d);
  const line = (id: string, label: string, d: number, isThis: boolean) => ({
    id,
    label,
    strong: isThis,
    parts: [{ value: speed(d), tone: isThis ? ('format' as const) : ('neutral' as const) }],
    words: `${speed(d).toFixed(2)}×`,
  });
  return barsPanel({
    id: 'limit',
    title: 'at most this many times as fast',
    caption: 'by multiply-adds alone, with a dense gate; N = 5\u202f632',
    bars: [
      line('none', 'no non-zero', 0, false),
      line('mean 30', '30 per token', 30 / 5632, false),
      line('mean 400', '400 per token', 400 / 5632, false),
      line('mean 911', '911 per token', 911 / 5632, false),
      line('here', 'this window', density, true),
      line('all', 'all', 1, false),
    ],
  });
}

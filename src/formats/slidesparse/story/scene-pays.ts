import { barsPanel as plainBars } from '../../../core/story/bars-panel.ts';
import { box, note } from '../../../core/story/marks.ts';
import { largest } from '../../../core/number/statistics.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import type { Mark, Panel } from '../../../core/story/scene.ts';
import { BYTE_CLASSES } from '../../../core/encoded/ledger.ts';
import { bitsText, countText, valueText } from '../../../core/story/words.ts';
import { HALF_GROUPS, type HalfGroup, patternName, storedShareOf } from '../params.ts';
import { gammaOf, PUBLISHED_A100_SPEEDUPS } from '../../../theory/sliding-windows.ts';
import { PUBLISHED_ACCURACY } from '../published.ts';
import type { SlideSparseStep, SlideSparseTrace } from './trace.ts';

type About = Extract<SlideSparseStep, { kind: 'pays' }>['about'];

/** Width of the bars' panel. */
const WIDTH = 100;
/** Share of it for the longest bar if the rest is for a number or for more words. */
const LONGEST = 0.75;
const LONGEST_BEFORE_WORDS = 0.55;
const LINE = 1.15;

/** When does it pay: the length of a slid row, the remaining speed, the bytes, and this window's. */
export function paysPanel(t: SlideSparseTrace, about: About): Panel {
  switch (about) {
    case 'gamma':
      return barsPanel(t, {
        id: 'gamma',
        title: 'gamma',
        caption: 'slid columns per column',
        value: gammaOf,
        words: (n) => gammaOf(n).toFixed(2),
      });
    case 'speed':
      return barsPanel(t, {
        id: 'speed',
        title: 'alpha / gamma',
        caption: 'with an alpha of 2; published: A100, int8, M 16384',
        longest: LONGEST_BEFORE_WORDS,
        value: (n) => 2 / gammaOf(n),
        words: (n) => {
          const published = PUBLISHED_A100_SPEEDUPS.get(patternName(n));
          return `${(2 / gammaOf(n)).toFixed(2)}${published ? `, published ${published.toFixed(2)}` : ''}`;
        },
      });
    case 'bytes': {
      const { valueType } = t.params;
      return barsPanel(t, {
        id: 'bytes',
        title: `bytes over dense ${valueType}`,
        caption: 'values and metadata',
        value: (n) => storedShareOf({ halfGroup: n, valueType }),
        words: (n) => storedShareOf({ halfGroup: n, valueType }).toFixed(3),
      });
    }
    case 'window':
      return windowPanel(t);
  }
}

/** Why 2:4 alone is not enough. Panel id 'accuracy'. */
export function accuracyPanel(): Panel {
  return plainBars({
    id: 'accuracy',
    title: 'right answers',
    caption: 'Qwen3-1.7B, figure 2 of the paper',
    bars: Object.entries(PUBLISHED_ACCURACY).map(([pattern, share]) => ({
      id: `accuracy ${pattern}`,
      label: pattern,
      parts: [{ value: share, tone: pattern === '6:8' ? ('format' as const) : ('neutral' as const) }],
      words: `${share.toFixed(1)}\u202f%`,
      ...(pattern === '6:8' ? { strong: true } : {}),
    })),
  });
}

interface Bars {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  /** share of the width; default: LONGEST */
  readonly longest?: number;
  readonly value: (halfGroup: HalfGroup) => number;
  readonly words: (halfGroup: HalfGroup) => string;
}

/** One bar per pattern, this one outlined. */
function barsPanel(t: SlideSparseTrace, { id, title, caption, longest = LONGEST, value, words }: Bars): Panel {
  const max = largest(HALF_GROUPS.map(value));
  const marks = HALF_GROUPS.flatMap((n, i): Mark[] => {
    const w = (value(n) / max) * WIDTH * longest;
    const isThis = n === t.params.halfGroup;
    return [
      box(`${id} ${n}`, 0, i * LINE, {
        w,
        tone: isThis ? 'format' : 'neutral',
        level: 1,
        label: `${patternName(n)}: ${words(n)}`,
        ...(isThis ? { focus: true } : {}),
      }),
      textMark(`${id} words ${n}`, i * LINE, w, words(n), 1 - longest),
    ];
  });
  return {
    id,
    title,
    caption,
    unit: 'bar',
    columns: WIDTH,
    rows: (HALF_GROUPS.length - 1) * LINE + 1,
    rowLabels: HALF_GROUPS.map((n, i) => ({
      at: i * LINE,
      text: patternName(n),
      ...(n === t.params.halfGroup ? { strong: true } : {}),
    })),
    marks,
  };
}

function textMark(id: string, y: number, x: number, text: string, share = 1 - LONGEST): Mark {
  return note(id, x + 1, y, WIDTH * share, text);
}

/** The window's bytes by class, below those of dense. */
function windowPanel({ encoded: e, ledger, params }: SlideSparseTrace): Panel {
  const dense = (e.rows * e.cols * VALUE_BITS[e.valueType]) / 8;
  const scale = (WIDTH * LONGEST) / Math.max(dense, ledger.totalBytes, 1);
  const marks: Mark[] = [
    box('dense', 0, 0, { w: Math.max(0.1, dense * scale), level: 1, label: `dense: ${countText(dense)} bytes` }),
    textMark('dense words', 0, dense * scale, `${countText(dense)} B`),
  ];
  let x = 0;
  for (const byteClass of BYTE_CLASSES) {
    const bytes = ledger.totalBits[byteClass] / 8;
    if (bytes === 0) continue;
    marks.push(
      box(`class ${byteClass}`, x, LINE, {
        w: bytes * scale,
        tone: byteClass,
        level: 1,
        label: `${byteClass}: ${bitsText(ledger.totalBits[byteClass])}`,
      }),
    );
    x += bytes * scale;
  }
  marks.push(textMark('stored words', LINE, x, `${countText(ledger.totalBytes)} B`));
  return {
    id: 'window bytes',
    title: 'bytes of this window',
    caption: `${valueText(ledger.effectiveDensity)} of dense ${params.valueType}`,
    unit: 'bar',
    columns: WIDTH,
    rows: LINE + 1,
    rowLabels: [
      { at: 0, text: 'dense' },
      { at: LINE, text: 'SlideSparse', strong: true },
    ],
    marks,
  };
}

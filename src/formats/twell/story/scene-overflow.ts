import { box } from '../../../core/story/marks.ts';
import type { Mark, Panel } from '../../../core/story/scene.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import { countText } from '../../../core/story/words.ts';
import { lowerCompression } from '../overflow.ts';
import { capacityOf, slotsOf, tilesOf, type TwellParams } from '../params.ts';
import { barsPanel } from '../../../core/story/bars-panel.ts';
import { activationsPanel, type Picture } from './scene-activations.ts';
import type { TwellStep, TwellTrace } from './trace.ts';

type About = Extract<TwellStep, { kind: 'overflow' }>['about'];

/** Chapter 4: a tile row with more non-zeros than slots, and what holds it. */
export function overflowScene(t: TwellTrace, about: About): Picture {
  const { hot } = t;
  const panels: Panel[] = [];
  if (t.window.rows > 0 && t.encoded.tiles > 0) panels.push(activationsPanel(t, { row: hot.row, tile: hot.tile }));
  panels.push(hotPanel(t, about));
  if (about === 'lower' || about === 'hybrid') panels.push(costPanel(t));
  return { panels, links: [] };
}

/** The tile row as cells, and its slots below. Panel id 'hot'. */
function hotPanel({ hot, params, window }: TwellTrace, about: About): Panel {
  const lower = lowerCompression(hot.columns.length, params);
  const now: TwellParams = about === 'lower' && lower !== undefined ? { ...params, compression: lower } : params;
  const isDense = about === 'hybrid';
  const from = hot.tile * params.tileWidth;
  const own = new Set<number>();
  for (let i = window.indptr[hot.row] ?? 0; i < (window.indptr[hot.row + 1] ?? 0); i++)
    own.add(window.indices[i] - from);
  const shown = about === 'fullest' ? hot.columns.filter((c) => own.has(c)) : hot.columns;
  const lead = params.layout === 'packed' ? 1 : 0;
  const capacity = capacityOf(now);
  const marks: Mark[] = [];
  shown.forEach((c, i) => {
    const isLost = i >= capacity && !isDense;
    const made = own.has(c) ? '' : ', made up';
    marks.push(
      box(`hot ${c}`, c, 0, {
        tone: 'values',
        level: own.has(c) ? 1 : 0.4,
        label: `column ${from + c}${made}`,
        ...(isLost ? { focus: true } : {}),
      }),
    );
  });
  if (isDense) {
    for (let c = 0; c < params.tileWidth; c++) {
      const stored = hot.columns.includes(c);
      marks.push(
        box(`place ${c}`, c, 2, {
          tone: stored ? 'values' : 'padding',
          level: stored ? 1 : 0,
          label: `tail, column ${from + c}`,
          ...(stored ? { from: `hot ${c}` } : {}),
        }),
      );
    }
  } else {
    if (lead > 0) marks.push(box('hot count', 0, 2, { tone: 'metadata', level: 1, label: `count ${shown.length}` }));
    for (let i = 0; i < Math.max(capacity, shown.length); i++) {
      const isUsed = i < shown.length;
      const isPlace = i < capacity;
      const base = box(`place ${i}`, i + lead, 2);
      if (!isPlace)
        marks.push({
          ...base,
          tone: 'neutral',
          state: 'ghost',
          focus: true,
          label: `no place for column ${from + shown[i]}`,
          from: `hot ${shown[i]}`,
        });
      else
        marks.push({
          ...base,
          tone: isUsed ? 'values' : 'padding',
          level: isUsed ? 1 : 0,
          label: isUsed ? `place ${i}: column ${from + shown[i]}` : `place ${i}: empty`,
          ...(isUsed ? { from: `hot ${shown[i]}` } : {}),
        });
    }
  }
  const places = isDense ? 'tail' : `${slotsOf(now)} ${params.layout === 'packed' ? 'words' : 'slots'}`;
  return {
    id: 'hot',
    title: about === 'fullest' ? 'the fullest tile row' : 'a hot token',
    caption: isDense
      ? 'drawn: the cells of one tile'
      : `compression ${now.compression}: ${places} for ${params.tileWidth} columns`,
    unit: 'cell',
    columns: Math.max(params.tileWidth, lead + Math.max(capacity, shown.length)),
    rows: 3,
    rowLabels: [
      { at: 0, text: 'h' },
      { at: 2, text: isDense ? 'tail' : 'places' },
    ],
    grid: { rows: 1 },
    marks,
  };
}

/** The cost of the alternatives: bytes of the whole window. */
function costPanel({ window, params, routing }: TwellTrace): Panel {
  const { rows, cols } = window;
  const valueBytes = VALUE_BITS[params.valueType] / 8;
  const twellBytes = (compression: TwellParams['compression']): number =>
    rows * tilesOf(cols, params) * slotsOf({ ...params, compression }) * (params.layout === 'packed' ? 4 : 6) +
    (params.layout === 'split' ? rows * tilesOf(cols, params) * 4 : 0);
  const slots = Math.min(routing.slots, cols);
  const hybridBytes = rows * slots * 4 + rows * 8 + routing.tail.length * (cols * valueBytes + 4);
  const bytes = (n: number): string => `${countText(n)} B`;
  return barsPanel({
    id: 'cost',
    title: 'bytes of the window',
    caption: `the hybrid with ${slots} slots and a tail`,
    bars: [
      {
        id: 'cost dense',
        label: 'dense',
        parts: [{ value: rows * cols * valueBytes, tone: 'neutral' }],
        words: bytes(rows * cols * valueBytes),
      },
      ...([8, 4, 2] as const)
        .filter((compression) => compression <= params.compression)
        .map((compression) => ({
          id: `cost ${compression}`,
          label: `TwELL ${compression}`,
          strong: compression === params.compression,
          parts: [{ value: twellBytes(compression), tone: 'format' as const }],
          words: bytes(twellBytes(compression)),
        })),
      {
        id: 'cost hybrid',
        label: 'hybrid',
        parts: [{ value: hybridBytes, tone: 'neutral' }],
        words: bytes(hybridBytes),
      },
    ],
  });
}

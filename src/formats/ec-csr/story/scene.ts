import { frame } from '../../../core/story/marks.ts';
import { type MarkLook, matrixPanel } from '../../../core/story/scene-parts.ts';
import type { Link, Mark, Panel, Scene } from '../../../core/story/scene.ts';
import { codeOf } from './code.ts';
import { narrate } from './narration.ts';
import { barsPanel } from './scene-bars.ts';
import { extractedBlock, laidOutScene } from './scene-blocks.ts';
import { levelsPanel, overlapPanel } from './scene-levels.ts';
import { multiplyScene } from './scene-multiply.ts';
import type { EcCsrStep, EcCsrTrace, Pair } from './trace.ts';

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: EcCsrTrace, stepNumber: number): Scene {
  const step = stepNumber === 0 ? null : t.steps[stepNumber - 1].detail;
  const { panels, links } = picture(t, step, stepNumber);
  // Of large windows only a page is drawn: a link is left out if one of its ends is not drawn.
  const drawn = new Set(panels.flatMap((panel) => panel.marks.map((mark) => mark.id)));
  const whole = links.filter((link) => drawn.has(link.from) && drawn.has(link.to));
  return { panels, links: whole, narration: narrate(t, step), code: codeOf(t, step) };
}

interface Picture {
  readonly panels: readonly Panel[];
  readonly links: readonly Link[];
}

function picture(t: EcCsrTrace, step: EcCsrStep | null, stepNumber: number): Picture {
  switch (step?.kind) {
    case 'bars':
      return { panels: [barsPanel(t, step.stage)], links: [] };
    case 'lanes':
    case 'memory':
    case 'sets':
      return laidOutScene(t, step, stepNumber);
    case 'gather':
    case 'partials':
    case 'row':
      return multiplyScene(t, step);
    default:
      return extractionScene(t, step ?? null, stepNumber);
  }
}

/** Left: the shared columns. Right: the cells. Below: the extracted block, and the tree of levels. */
function extractionScene(t: EcCsrTrace, step: EcCsrStep | null, stepNumber: number): Picture {
  const pair = step?.kind === 'match' || step?.kind === 'extract' ? t.pairs[step.pair] : null;
  const level = pair?.level ?? (step && 'level' in step ? step.level : 0);
  const rows = pair ? rowsOf(t, pair) : [];
  const panels: Panel[] = [
    overlapPanel(t, level, pair, stepNumber),
    { ...matrixOf(t, pair, rows, stepNumber), band: 1 },
  ];
  const links: Link[] = [];
  if (step?.kind === 'extract' && pair) {
    const extracted = extractedBlock(t, pair.blocks[0]);
    panels.push(extracted.panel);
    for (const link of extracted.links) links.push(link);
  }
  panels.push(levelsPanel(t, stepNumber, pair));
  return { panels, links };
}

function rowsOf(t: EcCsrTrace, { level, unit, partner }: Pair): readonly number[] {
  return [...t.levels[level][unit].rows, ...t.levels[level][partner].rows];
}

/** The cells: shared ones of the pair in the format's colour; extracted ones are pale. */
function matrixOf(t: EcCsrTrace, pair: Pair | null, rows: readonly number[], stepNumber: number): Panel {
  const shared = new Set(pair?.shared);
  const inPair = new Set(rows);
  const look = (row: number, col: number, ordinal: number): MarkLook => {
    if (inPair.has(row) && shared.has(col)) return { tone: 'format', level: 1 };
    const left = t.leftAt[ordinal];
    return left > 0 && left <= stepNumber ? { state: 'dim' } : {};
  };
  const frames = runsOf(rows).map(({ first, count }): Mark =>
    frame(`rows ${first}`, 0, first, Math.max(1, t.window.cols), count, {
      focus: true,
      label: count === 1 ? `row ${first}` : `rows ${first} to ${first + count - 1}`,
    }),
  );
  return matrixPanel(t.window, { row: rows[0] ?? 0, look, overlay: frames });
}

/** Neighbouring rows as one, so that their frames do not touch. */
function runsOf(rows: readonly number[]): readonly { readonly first: number; readonly count: number }[] {
  const runs: { first: number; count: number }[] = [];
  for (const row of rows.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last.first + last.count === row) last.count++;
    else runs.push({ first: row, count: 1 });
  }
  return runs;
}

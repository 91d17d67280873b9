// Scenes (a step of an animation as data) for tests of drawing and layout.

import { denseMatrix, type Matrix } from '../src/core/matrix/index.ts';
import { Random } from '../src/core/number/random.ts';
import { cellName, elementName, matrixPanel, memoryPanels, slotPanel } from '../src/story/scene-parts.ts';
import type { Mark, Panel, Scene } from '../src/story/scene.ts';

/** A seeded matrix with normal values. */
export function sampleMatrix(rows: number, cols: number, density: number, seed = 1): Matrix {
  const random = new Random(seed);
  const cells = Float32Array.from({ length: rows * cols }, () => (random.uniform() < density ? random.normal() : 0));
  return denseMatrix(rows, cols, cells);
}

/**
 * Returns a typical scene: cells with a bracket (the gap) below them, two arrays of slots with their bits, memory, a curve
 * from the bracket to a slot and a guide from a cell to the bracket. `step`: the slot in focus.
 */
export function sampleScene(rows: number, cols: number, step: number): Scene {
  const matrix = sampleMatrix(rows, cols, 0.3);
  const entryCount = Math.max(1, Math.round(rows * cols * 0.3));
  const slot = Math.min(step, entryCount - 1);
  const visibleRows = Math.min(rows, 24);
  const width = Math.max(1, Math.floor(cols / 2));
  const bracket: Mark = {
    id: 'gap',
    shape: 'bracket',
    x: 0.5,
    y: visibleRows + 0.4,
    w: width,
    h: 1,
    tone: 'indices',
    text: String(width),
    focus: true,
  };
  const arrays = slotPanel({
    id: 'entries',
    focus: slot,
    lines: [
      {
        array: 'values',
        length: entryCount,
        tone: (i) => (i % 5 === 4 ? 'padding' : 'values'),
        text: (i) => (i % 2 === 0 ? '0.62' : '\u22120.31'),
        present: (i) => i <= slot,
        style: (i) => (i === slot ? { focus: true, highlightNames: ['entry'] } : {}),
        from: () => 'gap',
      },
      { array: 'deltas', length: entryCount, tone: 'indices', text: (i) => String(i % 16), present: (i) => i <= slot },
    ],
  });
  // Four bits of each delta, below its slot.
  const bits: Mark[] = Array.from({ length: Math.min(entryCount, 40) * 4 }, (_, i) => ({
    id: `bit ${i}`,
    shape: 'box',
    x: i / 4,
    y: 2.3,
    w: 0.25,
    h: 1,
    tone: 'indices',
    level: i % 3 === 0 ? 1 : 0,
    text: i % 3 === 0 ? '1' : '0',
    about: ['entry'],
  }));
  const panels: Panel[] = [
    matrixPanel(matrix, { row: Math.min(step, rows - 1), overlay: [], linesBelow: 2 }),
    { ...arrays, rows: 3.3, marks: [...arrays.marks, ...bits] },
    ...memoryPanels([
      { array: 'values', data: new Uint16Array(entryCount), tone: 'values', focus: slot },
      { array: 'deltas', data: new Uint8Array(Math.ceil(entryCount / 2)), tone: 'indices', focus: slot >> 1 },
      { array: 'indptr', data: new Uint32Array(rows + 1), tone: 'metadata', focus: 0 },
    ]),
  ];
  panels[0] = { ...panels[0], marks: [...panels[0].marks, bracket] };
  const firstCell = panels[0].marks[0]?.id ?? cellName(0, 0);
  return {
    panels,
    links: [
      { id: 'curve', from: 'gap', to: elementName('values', slot), kind: 'curve', tone: 'neutral' },
      { id: 'guide', from: firstCell, to: 'gap', kind: 'guide', tone: 'indices' },
    ],
    narration: [
      { text: 'Column 29 is ' },
      { text: '17', strong: true },
      { text: ' past column 12 & "more" <than> 16.' },
    ],
    code: null,
  };
}

/** Returns a scene of two adjacent matrices and bars, with every shape of mark. */
export function bandScene(): Scene {
  const grid = (id: string, columns: number): Panel => ({
    id,
    title: id,
    caption: 'a caption of a few words',
    unit: 'cell',
    columns,
    rows: 8,
    band: 1,
    grid: { rows: 8 },
    rowLabels: Array.from({ length: 8 }, (_, i) => ({ at: i, text: String(i) })),
    marks: [{ id: `${id} 0`, shape: 'box', x: 0, y: 0, w: 1, h: 1, tone: 'format', level: 0.5, text: '9' }],
  });
  const bars: Panel = {
    id: 'bars',
    unit: 'bar',
    columns: 100,
    rows: 5,
    rowLabels: [
      { at: 0, text: 'dense' },
      { at: 1.4, text: 'a label of more than the usual length', strong: true },
    ],
    marks: [
      { id: 'bar', shape: 'box', x: 0, y: 0, w: 100, h: 1, tone: 'neutral', level: 1, text: '1 024 B' },
      { id: 'dim', shape: 'box', x: 0, y: 1.4, w: 40, h: 1, tone: 'padding', state: 'dim' },
      {
        id: 'words',
        shape: 'text',
        x: 41,
        y: 1.4,
        w: 59,
        h: 1,
        tone: 'neutral',
        text: 'words that may be longer than their room',
      },
      { id: 'frame', shape: 'frame', x: 0, y: 0, w: 40, h: 2.4, tone: 'format' },
      { id: 'line', shape: 'line', x: 0, y: 3, w: 100, h: 0, tone: 'neutral' },
      { id: 'ghost', shape: 'box', x: 0, y: 3.4, w: 50, h: 1, tone: 'values', state: 'ghost' },
    ],
  };
  return { panels: [grid('overlap', 8), grid('matrix', 32), bars], links: [], narration: [], code: null };
}

import { describe, expect, it } from 'vitest';
import { denseMatrix } from '../core/matrix/index.ts';
import { matrixPanel, memoryPanels, pageStart, rowFrame, slotPanel, ticks } from './scene-parts.ts';

it('pageStart keeps the focus in view for every position, and moves by half a page', () => {
  for (const [length, size] of [
    [64, 24],
    [25, 24],
    [100, 7],
    [5, 1],
    [5, 9],
    [0, 24],
  ]) {
    const starts = new Set<number>();
    for (let focus = 0; focus < length; focus++) {
      const start = pageStart(length, focus, size);
      starts.add(start);
      expect(start).toBeGreaterThanOrEqual(0);
      if (length <= size) expect(start).toBe(0);
      else {
        expect(focus).toBeGreaterThanOrEqual(start);
        expect(focus).toBeLessThan(start + size);
        expect(start + size).toBeLessThanOrEqual(length);
      }
    }
    expect(starts.size).toBeLessThanOrEqual(Math.ceil(length / Math.max(1, size >> 1)) + 1);
  }
});

describe('matrixPanel', () => {
  const window = denseMatrix(
    30,
    4,
    Float32Array.from({ length: 120 }, (_, i) => (i % 5 === 0 ? i + 1 : 0)),
  );

  it('matrixPanel has a mark for every non-zero in view, at its position', () => {
    const panel = matrixPanel(window, { row: 29 });
    expect(panel).toMatchObject({
      id: 'matrix',
      unit: 'cell',
      columns: 4,
      rows: 24,
      caption: 'rows 6 to 29 of 30 × 4',
    });
    expect(panel.marks.length).toBe(19);
    expect(panel.marks[0]).toMatchObject({ id: 'cell 6,1', x: 1, y: 0, tone: 'values', label: 'row 6, column 1: 26' });
    expect(panel.marks.every((mark) => (mark.level ?? 0) > 0.1 && (mark.level ?? 2) <= 1)).toBe(true);
  });

  it('names one row as one row, and does not count rows if the window has one', () => {
    const captions = [29, 6].map((row) => matrixPanel(window, { row, rowsShown: 1 }).caption);
    expect(captions).toEqual(['row 29 of 30 × 4', 'row 6 of 30 × 4']);
    expect(matrixPanel(window, { row: 0, rowsShown: 2 }).caption).toBe('rows 0 to 1 of 30 × 4');
    expect(matrixPanel(denseMatrix(1, 4, new Float32Array(4)), { row: 0, rowsShown: 1 }).caption).toBe('1 × 4');
  });

  it('counts the non-zeros in row-major order, including those out of view', () => {
    const ordinals: number[] = [];
    matrixPanel(window, {
      row: 29,
      style: (_row, _col, ordinal) => {
        ordinals.push(ordinal);
        return {};
      },
    });
    expect(ordinals).toEqual(Array.from({ length: 19 }, (_, i) => i + 5));
  });

  it('shows overlays in view, moved with the rows, and leaves out the others', () => {
    const ids = (row: number): string[] =>
      matrixPanel(window, { row, overlay: [...rowFrame(window, 29)] }).marks.map((mark) => `${mark.id} ${mark.y}`);
    expect(ids(29)).toContain('row 23');
    expect(ids(0).some((id) => id.startsWith('row'))).toBe(false);
  });

  it('matrixPanel can be drawn without cells', () => {
    const panel = matrixPanel(denseMatrix(0, 0, new Float32Array(0)), { row: 0 });
    expect(panel).toMatchObject({ columns: 1, rows: 1, marks: [] });
    expect(rowFrame(denseMatrix(3, 0, new Float32Array(0)), 0)).toEqual([]);
  });
});

it('ticks labels every position of a short line, and the last of a long one', () => {
  expect(ticks(0, 3).map((label) => label.text)).toEqual(['0', '1', '2']);
  expect(ticks(0, 32).map((label) => label.at)).toEqual([0, 4, 8, 12, 16, 20, 24, 28, 31]);
  expect(ticks(6, 30)[0]).toEqual({ at: 2, text: '8' });
  expect(ticks(0, 0)).toEqual([]);
});

describe('slotPanel', () => {
  it('slotPanel has marks around the focus only, and ghosts for what is not stored yet', () => {
    const panel = slotPanel({
      id: 'entries',
      focus: 500,
      lines: [{ array: 'data', length: 1000, tone: 'values', text: String, present: (i) => i <= 500 }],
    });
    expect(panel.columns).toBe(1000);
    expect(panel.marks.length).toBe(80);
    expect(panel.marks.find((mark) => mark.id === 'data[500]')).toMatchObject({ x: 500, text: '500' });
    expect(panel.marks.find((mark) => mark.id === 'data[501]')).toMatchObject({ state: 'ghost' });
  });

  it('slotPanel can be drawn for empty arrays', () => {
    const panel = slotPanel({ id: 'e', focus: 0, lines: [{ array: 'data', length: 0, tone: 'values', text: String }] });
    expect(panel).toMatchObject({ columns: 1, rows: 1, marks: [] });
  });
});

describe('memoryPanels', () => {
  it('shows the real bytes, named by their element', () => {
    const [panel] = memoryPanels([{ array: 'data', data: Uint16Array.of(0x1234, 0xabcd), tone: 'values', focus: 0 }]);
    expect(panel.marks.map((mark) => mark.label)).toEqual([
      'byte 0 of data, in data[0]: 52',
      'byte 1 of data, in data[0]: 18',
      'byte 2 of data, in data[1]: 205',
      'byte 3 of data, in data[1]: 171',
    ]);
    expect(panel.marks[3].highlightNames).toEqual(['data[1]']);
  });

  it('shows a page of a long array with the focus in it', () => {
    const [panel] = memoryPanels([{ array: 'data', data: new Uint32Array(100), tone: 'values', focus: 99 }]);
    expect(panel.columns).toBe(64);
    expect(panel.marks.at(-1)?.id).toBe('data byte 399');
    expect(panel.caption).toContain('336 to 399');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KeyPress, movedCursor } from './MatrixView.tsx';

const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  ...modifiers,
});
const EXTENT = { rows: 100, cols: 200 };
const AT = { row: 50, col: 60 };

describe('movedCursor(cell, press, shape, page)', () => {
  it('arrows go one cell, with Shift ten', () => {
    expect(movedCursor(AT, press('ArrowUp'), EXTENT, 20)).toEqual({ row: 49, col: 60 });
    expect(movedCursor(AT, press('ArrowRight', { shiftKey: true }), EXTENT, 20)).toEqual({ row: 50, col: 70 });
  });
  it('page keys go by pages', () => {
    expect(movedCursor(AT, press('PageDown'), EXTENT, 20)).toEqual({ row: 70, col: 60 });
  });
  it('Home and End go to the ends of the row, with Ctrl or Cmd to the ends of the matrix', () => {
    expect(movedCursor(AT, press('Home'), EXTENT, 20)).toEqual({ row: 50, col: 0 });
    expect(movedCursor(AT, press('End'), EXTENT, 20)).toEqual({ row: 50, col: 199 });
    expect(movedCursor(AT, press('Home', { ctrlKey: true }), EXTENT, 20)).toEqual({ row: 0, col: 0 });
    expect(movedCursor(AT, press('End', { metaKey: true }), EXTENT, 20)).toEqual({ row: 99, col: 199 });
  });
  it('other keys are ignored', () => {
    expect(movedCursor(AT, press('a'), EXTENT, 20)).toBeNull();
  });
  it('never leaves the matrix', () => {
    const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.tuple(fc.constantFrom(...keys), fc.boolean(), fc.boolean()), { maxLength: 40 }),
        (rows, cols, presses) => {
          let cell = { row: 0, col: 0 };
          for (const [key, shiftKey, ctrlKey] of presses) {
            cell = movedCursor(cell, press(key, { shiftKey, ctrlKey }), { rows, cols }, 7) ?? cell;
            expect(cell.row >= 0 && cell.row < rows && cell.col >= 0 && cell.col < cols).toBe(true);
          }
        },
      ),
    );
  });
});

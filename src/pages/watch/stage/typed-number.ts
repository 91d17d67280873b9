import { useCallback, useRef, useState } from 'react';
import { fitsF32 } from '../../../core/cells/edited-cells.ts';
import type { Cell } from '../../../core/matrix/index.ts';

/** A number that is being typed into a cell; `problem`: why Enter did not accept it. */
export interface TypedNumber {
  readonly cell: Cell;
  readonly text: string;
  readonly problem: string | null;
}

/** The characters of numbers, also of those with a decimal comma or the sign of a minus. */
const NUMBER_KEY = /^[-+\d.,\u2212]$/;
/** Maximum number of characters: more than any number needs that f32 distinguishes. */
const MAX_CHARACTERS = 24;

/** A number that the user types for a cell: Enter sets it, Escape drops it. */
export function useTypedNumber(set: (cell: Cell, value: number) => void) {
  const [typed, setTyped] = useState<TypedNumber | null>(null);
  // A key may be pressed before the state after the last one is rendered.
  const latest = useRef<TypedNumber | null>(null);
  const show = (next: TypedNumber | null): void => {
    latest.current = next;
    setTyped(next);
  };
  const forget = useCallback((): void => {
    latest.current = null;
    setTyped(null);
  }, []);
  /** Sets a cell to the number in a text, an empty one to 0; returns why it cannot, or null. */
  const setText = (cell: Cell, text: string): string | null => {
    const value = Number(text.replaceAll('\u2212', '-').replace(',', '.'));
    if (!fitsF32(value)) return `found ${text}, expected a number in the range of f32`;
    show(null);
    set(cell, value);
    return null;
  };
  /** Handles a key while `cell` is selected; returns whether it was a key of a number. */
  const onKey = (
    event: Pick<globalThis.KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>,
    cell: Cell,
  ): boolean => {
    const { key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return false;
    const now = latest.current;
    const isSameCell = now !== null && now.cell.row === cell.row && now.cell.col === cell.col;
    const text = isSameCell ? now.text : '';
    if (NUMBER_KEY.test(key) || (key === 'e' && /\d$/.test(text))) {
      if (text.length < MAX_CHARACTERS) show({ cell, text: text + key, problem: null });
      return true;
    }
    if (text === '') return false;
    if (key === 'Backspace') show(text.length === 1 ? null : { cell, text: text.slice(0, -1), problem: null });
    else if (key === 'Escape') show(null);
    else if (key === 'Enter') {
      const problem = setText(cell, text);
      if (problem !== null) show({ cell, text, problem });
    } else return false;
    return true;
  };
  return { typed, onKey, setText, forget };
}

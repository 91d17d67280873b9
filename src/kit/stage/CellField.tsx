import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Cell } from '../../core/matrix/index.ts';
import { exactText } from '../../core/cells/link-cells.ts';
import type { SceneView } from '../../render/index.ts';

/** A cell whose number can be typed on a touch screen. */
export interface CellFieldProps {
  readonly cell: Cell;
  /** 'row 0, column 3', in numbers of the matrix */
  readonly label: string;
  readonly value: number;
  /** sets the cell to the number in a text; returns why it cannot, or null */
  onText(cell: Cell, text: string): string | null;
}

interface CellFieldInPicture extends CellFieldProps {
  /** why a format rejects the cell */
  readonly rejection: string | null;
  readonly view: RefObject<SceneView | null>;
}

const textOf = (value: number): string => (value === 0 ? '' : exactText(value));

/**
 * A field below a pressed cell of the picture: Enter, or leaving it, sets the cell. Keyboards of phones for numbers have
 * no minus, so that a button changes the sign.
 */
export function CellField({ cell, label, value, onText, rejection, view }: CellFieldInPicture) {
  const form = useRef<HTMLFormElement>(null);
  /** what is being typed; null: the number of the cell is shown */
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const position = view.current?.positionOf(cell);
    if (!form.current) return;
    form.current.hidden = !position;
    if (!position) return;
    form.current.style.setProperty('--x', `${position.x}px`);
    form.current.style.top = `${position.y + position.h}px`;
  });
  const text = draft ?? textOf(value);
  const set = (next: string): void => {
    const nextProblem = next === textOf(value) ? null : onText(cell, next);
    setProblem(nextProblem);
    setDraft(nextProblem === null ? null : next);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // Leaving the field sets the number, and closes the keyboard of the phone, so that the picture is seen.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    else set(text);
  };
  return (
    <form
      ref={form}
      className="cell-field absolute z-3 left-[clamp(0px,var(--x),calc(100%_-_12rem))] mt-[6px] flex flex-wrap items-center gap-1 w-48 p-1 border border-control-border shadow-float rounded-[4px] bg-control"
      onSubmit={submit}
    >
      {/* At 16 px: below, browsers of phones zoom in. */}
      <input
        className="input number text-16 flex-1 w-0"
        type="text"
        inputMode="decimal"
        enterKeyHint="done"
        autoComplete="off"
        aria-label={label}
        aria-invalid={problem !== null}
        placeholder="0"
        value={text}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={() => draft !== null && set(draft)}
      />
      <button
        type="button"
        className="button"
        aria-label="Change the sign"
        disabled={text === ''}
        // The field keeps the focus, and the phone its keyboard.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => setDraft(/^[-\u2212]/.test(text) ? text.slice(1) : `-${text}`)}
      >
        ±
      </button>
      <button type="submit" className="button">
        Set
      </button>
      {(problem ?? rejection) !== null && (
        <p className="w-full text-13 text-danger" role={problem === null ? undefined : 'alert'}>
          {problem ?? rejection}
        </p>
      )}
    </form>
  );
}

import { useState } from 'react';
import { Field } from './Field.tsx';

interface NumberInputProps {
  readonly label: string;
  /** an explanation, shown while the pointer rests on the field and read with it */
  readonly hint?: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** whether only whole numbers are valid */
  readonly isInteger?: boolean;
  readonly onChange: (value: number) => void;
  /** called after every change with whether the text is a number in range, so that a form can disable its button */
  readonly onValidity?: (valid: boolean) => void;
}

/** A message on why a text is not a number within these limits; null if the text is valid. */
export function numberProblem(text: string, limits: { min: number; max: number; isInteger?: boolean }): string | null {
  const { min, max, isInteger = false } = limits;
  const n = Number(text);
  const ok = text.trim() !== '' && n >= min && n <= max && (!isInteger || Number.isInteger(n));
  if (ok) return null;
  const typed = text.trim() === '' ? 'nothing' : text.trim();
  return `Found ${typed}, expected a ${isInteger ? 'whole number' : 'number'} from ${min} to ${max}.`;
}

/** A text field for a number. An invalid text stays, with a message below; `onChange` receives valid numbers only. */
export function NumberInput(props: NumberInputProps) {
  const { label, hint, value, min, max, isInteger = false, onChange, onValidity } = props;
  // The typed text, and the value at that time: a value that changes from outside replaces the text.
  const [draft, setDraft] = useState({ text: String(value), value });
  const text = draft.value === value || Number(draft.text) === value ? draft.text : String(value);
  const problem = numberProblem(text, { min, max, isInteger });
  return (
    <Field label={label} title={hint} error={problem}>
      {(control) => (
        <input
          {...control}
          className="input"
          inputMode={isInteger ? 'numeric' : 'decimal'}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            const next = event.currentTarget.value;
            setDraft({ text: next, value });
            const valid = numberProblem(next, { min, max, isInteger }) === null;
            onValidity?.(valid);
            if (valid) onChange(Number(next));
          }}
        />
      )}
    </Field>
  );
}

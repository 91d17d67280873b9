import { useId, useState } from 'react';
import type { ReadPass } from '../../../worker/protocol.ts';
import { numberProblem } from '../../parts/NumberInput.tsx';

export interface OverrideFieldsProps {
  readonly passes: readonly ReadPass[];
  readonly overrides: Readonly<Record<string, number>>;
  /** null for the kernel's own value */
  readonly onChange: (name: string, value: number | null) => void;
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

/** What a constant of the type may be. */
const RANGES: Readonly<Record<string, Range>> = {
  bool: { min: 0, max: 1, whole: true },
  u32: { min: 0, max: 2 ** 32 - 1, whole: true },
  i32: { min: -(2 ** 31), max: 2 ** 31 - 1, whole: true },
};
const ANY: Range = { min: -3.4028234663852886e38, max: 3.4028234663852886e38, whole: false };

/** The constants of a kernel as fields: name, value, and what it means where the pointer rests. */
export function OverrideFields({ passes, overrides, onChange }: OverrideFieldsProps) {
  // A value holds in every pass that has a constant of the name.
  const all = new Map(passes.flatMap((pass) => pass.overrides.map((one) => [one.name, one])));
  if (all.size === 0) return null;
  return (
    <div className="draft-overrides" role="group" aria-label="Constants of the draft">
      {[...all.values()].map(({ name, type, value, meaning }) => (
        <OverrideField
          key={name}
          name={name}
          hint={`${meaning} The kernel’s own value is ${value}.`.trim()}
          range={RANGES[type] ?? ANY}
          original={value}
          own={overrides[name] ?? null}
          onChange={(next) => onChange(name, next === value ? null : next)}
        />
      ))}
    </div>
  );
}

interface OverrideFieldProps {
  readonly name: string;
  readonly hint: string;
  readonly range: Range;
  readonly original: number;
  readonly own: number | null;
  readonly onChange: (value: number | null) => void;
}

function OverrideField({ name, hint, range, original, own, onChange }: OverrideFieldProps) {
  const id = useId();
  // What is being typed; a version that is brought back shows its value as soon as the field is left.
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? String(own ?? original);
  const problem = numberProblem(text, range);
  return (
    <div className="field draft-override">
      <label htmlFor={id} title={hint}>
        {name}
        {own !== null && ', yours'}
      </label>
      <input
        id={id}
        className="input"
        inputMode={range.whole ? 'numeric' : 'decimal'}
        autoComplete="off"
        spellCheck={false}
        title={hint}
        value={text}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => {
          const next = event.currentTarget.value;
          setTyped(next);
          if (numberProblem(next, range) === null) onChange(Number(next));
        }}
        onBlur={() => {
          if (problem === null) setTyped(null);
        }}
      />
      {problem !== null && (
        <p id={`${id}-problem`} className="field-error" role="alert">
          {problem}
        </p>
      )}
      {own !== null && (
        <button
          type="button"
          className="text-button"
          onClick={() => {
            setTyped(null);
            onChange(null);
          }}
        >
          <span className="unseen">{name} </span>was {original}
        </button>
      )}
    </div>
  );
}

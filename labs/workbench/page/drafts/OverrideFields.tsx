// Fields for the constants of a draft.

import { useState } from 'react';
import { DRAFT_BOUNDS } from '../../theory/bounds.ts';
import { countText } from '../../../../src/core/text/words.ts';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { Field } from '../../../../src/kit/controls/Field.tsx';
import { numberProblem } from '../../../../src/kit/controls/NumberInput.tsx';
import type { DraftOverride } from './draft-overrides.ts';

interface OverrideFieldsProps {
  readonly constants: readonly DraftOverride[];
  readonly overrides: Readonly<Record<string, number>>;
  /** `value` null: the original value, in the draft's WGSL */
  readonly onChange: (name: string, value: number | null) => void;
}

/** Labels of the origins whose constants the user cannot set. */
const FIXED_ORIGINS: Readonly<Partial<Record<DraftOverride['origin'], string>>> = {
  device: 'device',
  matrix: 'matrix',
  parameters: 'parameters',
  derived: 'derived',
  text: 'derived', // computed in the draft's code from other constants
};

interface Range {
  readonly min: number;
  readonly max: number;
  readonly isInteger: boolean;
}

/** The values of constants by WGSL type; other types are f32. */
const RANGES: Readonly<Record<string, Range>> = {
  bool: { min: 0, max: 1, isInteger: true },
  u32: { min: 0, max: 2 ** 32 - 1, isInteger: true },
  i32: { min: -(2 ** 31), max: 2 ** 31 - 1, isInteger: true },
};
const ANY_F32: Range = { min: -3.4028234663852886e38, max: 3.4028234663852886e38, isInteger: false };

/** The constants (WGSL overrides) of a draft (a changed kernel): fields for those to set, origins of the others. */
export function OverrideFields({ constants, overrides, onChange }: OverrideFieldsProps) {
  if (constants.length === 0) return null;
  // A constant that the user has set can always be reset.
  const isField = ({ name, origin }: DraftOverride): boolean =>
    FIXED_ORIGINS[origin] === undefined || Object.hasOwn(overrides, name);
  const listed = constants.slice(0, DRAFT_BOUNDS.overrides);
  return (
    <div
      className="border-t border-hairline border-b border-hairline flex flex-wrap gap-y-2 gap-x-5 text-12 mt-3 py-2"
      role="group"
      aria-label="Constants"
    >
      {listed.filter(isField).map(({ name, type, value, meaning, origin }) => (
        <OverrideField
          key={name}
          name={name}
          hint={`${meaning} ${origin === 'own' ? 'The draft’s' : 'The kernel’s'} own value is ${value ?? 'open'}.`.trim()}
          range={Object.hasOwn(RANGES, type) ? RANGES[type] : ANY_F32}
          original={value}
          override={overrides[name] ?? null}
          onChange={(next) => onChange(name, next === value ? null : next)}
        />
      ))}
      {listed
        .filter((constant) => !isField(constant))
        .map(({ name, value, meaning, origin }) => (
          <div key={name} className="grid content-start gap-2" title={meaning}>
            <span className="text-muted font-mono">{name}</span>
            <span>
              <span className="number">{value ?? '–'}</span> <span className="text-quiet">{FIXED_ORIGINS[origin]}</span>
            </span>
          </div>
        ))}
      {constants.length > listed.length && (
        <p className="text-muted">and {countText(constants.length - listed.length)} more</p>
      )}
    </div>
  );
}

interface OverrideFieldProps {
  readonly name: string;
  readonly hint: string;
  readonly range: Range;
  /** the value in the draft's WGSL; null if unset there */
  readonly original: number | null;
  /** the value that the user has set; null for the original */
  readonly override: number | null;
  readonly onChange: (value: number | null) => void;
}

/** The field for a constant. */
function OverrideField({ name, hint, range, original, override, onChange }: OverrideFieldProps) {
  // The text as typed; null: the field shows the value, also of another version of the draft.
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? String(override ?? original ?? '');
  const problem = numberProblem(text, range);
  return (
    <Field
      className="min-w-22 [&_label]:font-mono"
      label={override === null ? name : `${name}, yours`}
      title={hint}
      error={problem}
      foot={
        override !== null && (
          <TextButton
            onClick={() => {
              setTyped(null);
              onChange(null);
            }}
          >
            <span className="unseen">{name} </span>was {original ?? 'open'}
          </TextButton>
        )
      }
    >
      {(control) => (
        <input
          {...control}
          className="input w-22"
          inputMode={range.isInteger ? 'numeric' : 'decimal'}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            const next = event.currentTarget.value;
            setTyped(next);
            if (numberProblem(next, range) === null) onChange(Number(next));
          }}
          onBlur={() => {
            if (problem === null) setTyped(null);
          }}
        />
      )}
    </Field>
  );
}

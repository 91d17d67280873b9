import { countText } from '../../core/text/words.ts';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { MatrixError } from '../../core/errors.ts';
import { rowBuffer } from '../../core/matrix/index.ts';
import { generate, type GenerateSpec } from '../../generate/generate.ts';
import { PATTERN_MEANINGS } from '../../generate/pattern-meanings.ts';
import { type PatternInfo, patterns } from '../../generate/patterns.ts';
import { NumberInput, numberProblem } from '../controls/NumberInput.tsx';
import { bytes } from '../words/quantity.ts';
import { percentOf } from '../words/shares.ts';
import { SelectField } from '../controls/Select.tsx';

interface GeneratorFormProps {
  readonly initial: GenerateSpec;
  readonly onGenerate: (spec: GenerateSpec) => void;
  /** called with the spec whenever it changes, null while one of its numbers is invalid; for a form around this one */
  readonly onSpec?: (spec: GenerateSpec | null) => void;
  /** part of another form: without button and preview */
  readonly embedded?: boolean;
}

/** Maximum number of rows, and of columns. */
const MAX_EXTENT = 131_072;
const MAX_SEED = 2 ** 32 - 1;

/** The last valid values of the form's fields. */
interface Draft extends GenerateSpec {
  readonly options: Readonly<Record<string, number>>;
}

/** A form for generating a matrix from a pattern, a shape, a density and a seed, with a preview. */
export function GeneratorForm({ initial, onGenerate, onSpec, embedded = false }: GeneratorFormProps) {
  const [draft, setDraft] = useState<Draft>(() => ({ ...initial, options: initial.options ?? {} }));
  const [invalid, setInvalid] = useState<ReadonlySet<string>>(new Set());
  const pattern = patternOf(draft);
  const spec = specOf(draft);
  const reportSpec = useEffectEvent((changed: GenerateSpec | null) => onSpec?.(changed));
  useEffect(() => {
    reportSpec(invalid.size === 0 ? specOf(draft) : null);
  }, [draft, invalid]);
  const change = (next: Partial<Draft>): void => setDraft((d) => ({ ...d, ...next }));
  const validity = (field: string) => (valid: boolean) =>
    setInvalid((before) => {
      const after = new Set(before);
      if (valid) after.delete(field);
      else after.add(field);
      return after;
    });

  const fields = { draft, change, validity };
  return (
    <form
      className="generator grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (invalid.size === 0) onGenerate(spec);
      }}
    >
      <SelectField
        label="pattern"
        hint={PATTERN_MEANINGS[pattern.id].pattern}
        value={pattern.id}
        options={patterns.map((p) => ({ value: p.id, label: PATTERN_MEANINGS[p.id].title }))}
        onChange={(id) => {
          // The pattern's fields replace the other fields.
          setInvalid((before) => new Set(['rows', 'cols', 'seed'].filter((field) => before.has(field))));
          change({ pattern: id, options: {} });
        }}
      />
      <div className="fields-2">
        <ShapeFields {...fields} />
        <OptionFields {...fields} />
      </div>
      <div className="flex items-center justify-between gap-3">
        {!embedded && invalid.size === 0 && <Preview spec={spec} />}
        <p className="field-hint">{sizeText(spec)}</p>
        {!embedded && (
          <button type="submit" className="button button--solid" disabled={invalid.size > 0}>
            Generate
          </button>
        )}
      </div>
    </form>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly change: (next: Partial<Draft>) => void;
  /** records whether the text of a field is valid */
  readonly validity: (field: string) => (valid: boolean) => void;
}

/** Rows, columns, density and seed, which all patterns share. */
function ShapeFields({ draft, change, validity }: FieldsProps) {
  const pattern = patternOf(draft);
  const densities = pattern.densities?.(optionsOf(pattern, draft.options));
  const wholeNumberInput = (field: 'rows' | 'cols' | 'seed', max: number) => (
    <NumberInput
      label={field}
      value={draft[field]}
      min={0}
      max={max}
      isInteger
      onChange={(value) => change({ [field]: value })}
      onValidity={validity(field)}
    />
  );
  return (
    <>
      {wholeNumberInput('rows', MAX_EXTENT)}
      {wholeNumberInput('cols', MAX_EXTENT)}
      {densities ? (
        <SelectField
          label="% left"
          mono
          value={specOf(draft).density}
          options={densities.map((d) => ({ value: d, label: String(percentOf(d)) }))}
          onChange={(d) => change({ density: d })}
        />
      ) : (
        <NumberInput
          key={pattern.id}
          label="% left"
          value={percentOf(draft.density)}
          min={0}
          max={100}
          onChange={(left) => change({ density: left / 100 })}
          onValidity={validity('density')}
        />
      )}
      {wholeNumberInput('seed', MAX_SEED)}
    </>
  );
}

/** Rows and columns of a preview. */
const PREVIEW_EXTENT = 64;

/** The pattern on few enough rows and columns to be made at once; nothing if its options need more. */
function Preview({ spec }: { readonly spec: GenerateSpec }) {
  const rows = Math.min(spec.rows, PREVIEW_EXTENT);
  const cols = Math.min(spec.cols, PREVIEW_EXTENT);
  const key = JSON.stringify(spec);
  const cells = useMemo(() => {
    try {
      const matrix = generate({ ...(JSON.parse(key) as GenerateSpec), rows, cols });
      const buffer = rowBuffer(cols);
      return Array.from({ length: rows }, (_, row) =>
        Array.from(buffer.columns.subarray(0, matrix.readRow(row, buffer)), (col) => `M${col} ${row}h.9v.9h-.9z`).join(
          '',
        ),
      ).join('');
    } catch (error) {
      if (error instanceof MatrixError) return null;
      throw error;
    }
  }, [key, rows, cols]);
  if (cells === null) return null;
  return (
    <svg
      width={128}
      height={128}
      viewBox={`0 0 ${cols} ${rows}`}
      role="img"
      aria-label={`This pattern, ${rows} × ${cols}`}
    >
      <path className="fill-ink" d={cells} />
    </svg>
  );
}

/** An option as the label of its field, with its unit: 'Width of a block, columns'. */
function optionLabel(pattern: string, option: string): string {
  const { label, unit } = PATTERN_MEANINGS[pattern].options[option];
  return unit === undefined ? label : `${label}, ${unit}`;
}

/** The options of the pattern itself. */
function OptionFields({ draft, change, validity }: FieldsProps) {
  const pattern = patternOf(draft);
  const options = optionsOf(pattern, draft.options);
  return (
    <>
      {pattern.options.map((option) => (
        <NumberInput
          key={`${pattern.id} ${option.id}`}
          label={optionLabel(pattern.id, option.id)}
          hint={PATTERN_MEANINGS[pattern.id].options[option.id].meaning}
          value={options[option.id]}
          min={option.min}
          max={option.max}
          isInteger={option.isInteger}
          onChange={(value) => change({ options: { ...options, [option.id]: value } })}
          onValidity={validity(option.id)}
        />
      ))}
    </>
  );
}

function patternOf({ pattern }: Draft): PatternInfo {
  return patterns.find((p) => p.id === pattern) ?? patterns[0];
}

/** The spec that the form describes, with every option of its pattern and a density that the pattern can have. */
function specOf(draft: Draft): GenerateSpec {
  const { rows, cols, seed } = draft;
  const pattern = patternOf(draft);
  const options = optionsOf(pattern, draft.options);
  const densities = pattern.densities?.(options);
  const density = densities && !densities.includes(draft.density) ? nearest(densities, draft.density) : draft.density;
  const spec = { pattern: pattern.id, rows, cols, density, seed };
  return pattern.options.length > 0 ? { ...spec, options } : spec;
}

/** The pattern's options, with its defaults for those that are missing or out of range. */
function optionsOf(pattern: PatternInfo, values: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    pattern.options.map((option) => {
      const value = values[option.id] ?? option.default;
      return [option.id, numberProblem(String(value), option) === null ? value : option.default];
    }),
  );
}

/** The value nearest to a target. */
function nearest(values: readonly number[], target: number): number {
  return values.reduce((best, v) => (Math.abs(v - target) < Math.abs(best - target) ? v : best), values[0]);
}

/** How many non-zeros the matrix has, and how large it is as dense f16. */
function sizeText({ rows, cols, density }: GenerateSpec): string {
  const cells = rows * cols;
  const perRow = rows > 0 ? `, ${countText(cols * density)} a row` : '';
  return `${countText(cells * density)} non-zeros of ${countText(cells)}${perRow}; ${bytes(cells * 2)} as dense f16`;
}

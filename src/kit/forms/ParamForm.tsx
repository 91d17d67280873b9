import { useId } from 'react';
import type { AnyListedFormat, ParamField, Shape } from '../../core/format.ts';
import { type FormatParams, paramFields, type ParamValue } from '../../state/index.ts';
import { NumberInput } from '../controls/NumberInput.tsx';

export interface ParamFormProps {
  readonly format: Pick<AnyListedFormat, 'params' | 'unusable'>;
  readonly params: FormatParams;
  /** of the matrix that it is for: says what 'auto' comes to */
  readonly shape?: Shape | null;
  readonly onChange: (name: string, value: ParamValue) => void;
}

/**
 * A format's parameters as a form, made from what the format says about them. A choice with which no matrix could be
 * held cannot be taken, and says why.
 */
export function ParamForm({ format, params, shape = null, onChange }: ParamFormProps) {
  return (
    <div className="fields-2">
      {paramFields(format.params).map(([name, field]) => (
        <ParamInput
          key={name}
          field={field}
          value={params[name] ?? field.default}
          decided={shape && (field.auto?.(shape) ?? null)}
          unusable={(value) => format.unusable?.({ ...params, [name]: value }) ?? null}
          onChange={(value) => onChange(name, value)}
        />
      ))}
    </div>
  );
}

interface ParamInputProps {
  readonly field: ParamField<ParamValue>;
  readonly value: ParamValue;
  /** what 'auto' comes to; null where that is not known, or no option */
  readonly decided: ParamValue | null;
  /** why this value cannot be taken beside the others; null where it can */
  readonly unusable: (value: ParamValue) => string | null;
  readonly onChange: (value: ParamValue) => void;
}

function ParamInput({ field, value, decided, unusable, onChange }: ParamInputProps) {
  const id = useId();
  if (field.kind === 'integer') {
    return (
      <NumberInput
        label={field.label}
        hint={field.meaning}
        value={Number(value)}
        min={field.min}
        max={field.max}
        whole
        onChange={onChange}
      />
    );
  }
  return (
    <div className="field">
      <label htmlFor={id} title={field.meaning}>
        {field.label}
      </label>
      <select
        id={id}
        className="select select--mono"
        title={field.meaning}
        value={field.options.findIndex((o) => o.value === value)}
        onChange={(event) => onChange(field.options[Number(event.currentTarget.value)].value)}
      >
        {field.options.map((option, i) => {
          const reason = unusable(option.value);
          return (
            <option key={option.label} value={i} disabled={reason !== null} title={reason ?? undefined}>
              {option.value === 'auto' && decided !== null ? `auto: ${decided}` : option.label}
            </option>
          );
        })}
      </select>
    </div>
  );
}

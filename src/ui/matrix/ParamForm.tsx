import { useId } from 'react';
import type { AnyFormat, ParamField } from '../../core/format.ts';
import { type FormatParams, paramFields, type ParamValue } from '../../state/index.ts';
import { NumberInput } from '../parts/NumberInput.tsx';

export interface ParamFormProps {
  readonly spec: AnyFormat['params'];
  readonly params: FormatParams;
  readonly onChange: (name: string, value: ParamValue) => void;
}

/** A format's parameters as a form, made from what the format says about them. */
export function ParamForm({ spec, params, onChange }: ParamFormProps) {
  return (
    <div className="fields-2">
      {paramFields(spec).map(([name, field]) => (
        <ParamInput
          key={name}
          field={field}
          value={params[name] ?? field.default}
          onChange={(value) => onChange(name, value)}
        />
      ))}
    </div>
  );
}

interface ParamInputProps {
  readonly field: ParamField<ParamValue>;
  readonly value: ParamValue;
  readonly onChange: (value: ParamValue) => void;
}

function ParamInput({ field, value, onChange }: ParamInputProps) {
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
        {field.options.map((option, i) => (
          <option key={option.label} value={i}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

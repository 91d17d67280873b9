import type { AnyListedFormat, ParamField, Shape } from '../../core/format.ts';
import { type FormatParams, paramFields, type ParamValue } from '../../state/index.ts';
import { NumberInput } from '../controls/NumberInput.tsx';
import { SelectField } from '../controls/Select.tsx';

interface ParamFormProps {
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
  /** why this value does not go with the others; null where it does */
  readonly unusable: (value: ParamValue) => string | null;
  readonly onChange: (value: ParamValue) => void;
}

function ParamInput({ field, value, decided, unusable, onChange }: ParamInputProps) {
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
    <SelectField
      label={field.label}
      title={field.meaning}
      mono
      value={value}
      options={field.options.map((option, i) => {
        const reason = unusable(option.value);
        return {
          value: option.value,
          key: String(i),
          label: option.value === 'auto' && decided !== null ? `auto: ${decided}` : option.label,
          disabled: reason !== null,
          title: reason ?? undefined,
        };
      })}
      onChange={onChange}
    />
  );
}

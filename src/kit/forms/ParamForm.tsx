import type { AnyListedFormat, ParamField, Shape } from '../../core/format.ts';
import { type FormatParams, paramFields, type ParamValue } from '../../state/index.ts';
import { NumberInput } from '../controls/NumberInput.tsx';
import { Segmented } from '../controls/Segmented.tsx';
import { SelectField } from '../controls/Select.tsx';

interface ParamFormProps {
  readonly format: Pick<AnyListedFormat, 'params' | 'unusable'>;
  readonly params: FormatParams;
  /** shape of the matrix, which decides the value of 'auto' */
  readonly shape?: Shape | null;
  /** shows a parameter with few options as buttons in a line, not as a list */
  readonly inLine?: boolean;
  readonly onChange: (name: string, value: ParamValue) => void;
}

/** More options than this become a list. */
const MAX_IN_LINE = 5;
/** On a button, a longer label is replaced by the value; in characters. */
const LONGEST_IN_LINE = 8;

/** A form of a format's parameters. A value with which no matrix could be stored is disabled, with the reason. */
export function ParamForm({ format, params, shape = null, inLine = false, onChange }: ParamFormProps) {
  return (
    <div className={inLine ? 'fields-line flex flex-wrap gap-y-2 gap-x-5' : 'fields-2'}>
      {paramFields(format.params).map(([name, field]) => (
        <ParamInput
          key={name}
          field={field}
          value={params[name] ?? field.default}
          inLine={inLine}
          autoValue={shape && (field.auto?.(shape) ?? null)}
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
  readonly inLine: boolean;
  /** the value of 'auto'; null if it is unknown, or not an option */
  readonly autoValue: ParamValue | null;
  /** why this value is incompatible with the others; null if it is not */
  readonly unusable: (value: ParamValue) => string | null;
  readonly onChange: (value: ParamValue) => void;
}

/** The control of one parameter: a number field, buttons in a line, or a list. */
function ParamInput({ field, value, inLine, autoValue, unusable, onChange }: ParamInputProps) {
  if (field.kind === 'integer') {
    return (
      <NumberInput
        label={field.label}
        hint={field.meaning}
        value={Number(value)}
        min={field.min}
        max={field.max}
        isInteger
        onChange={onChange}
      />
    );
  }
  const labelOf = (option: (typeof field.options)[number]): string =>
    option.value === 'auto' && autoValue !== null ? `auto: ${autoValue}` : option.label;
  if (inLine && field.options.length <= MAX_IN_LINE) {
    return (
      <Segmented
        label={field.label}
        value={String(value)}
        options={field.options.map((option) => {
          const reason = unusable(option.value);
          const label = labelOf(option);
          return {
            value: String(option.value),
            label: label.length <= LONGEST_IN_LINE ? label : String(option.value),
            disabled: reason !== null,
            title: reason ?? label,
          };
        })}
        onChange={(text) => {
          const chosen = field.options.find((option) => String(option.value) === text);
          if (chosen) onChange(chosen.value);
        }}
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
          label: labelOf(option),
          disabled: reason !== null,
          title: reason ?? undefined,
        };
      })}
      onChange={onChange}
    />
  );
}

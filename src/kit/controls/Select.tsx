import { Field, type FieldControl, type FieldProps } from './Field.tsx';

interface SelectOption<T> {
  readonly value: T;
  readonly label: string;
  /** the heading below which it is listed */
  readonly group?: string;
  /** a key for values that are neither text nor number */
  readonly key?: string;
  readonly disabled?: boolean;
  readonly title?: string | undefined;
}

interface SelectProps<T> extends Partial<FieldControl> {
  readonly value: T;
  readonly options: readonly SelectOption<NoInfer<T>>[];
  readonly onChange: (value: NoInfer<T>) => void;
  /** options are numbers or code */
  readonly mono?: boolean;
  readonly disabled?: boolean;
  readonly 'aria-label'?: string;
  readonly 'aria-labelledby'?: string;
}

/** A typed select: `onChange` gets the value of the chosen option. */
export function Select<T>({ value, options, onChange, mono = false, ...rest }: SelectProps<T>) {
  const current = options.find((option) => option.value === value);
  return (
    <select
      className={mono ? 'select font-mono text-12' : 'select'}
      value={current === undefined ? '' : keyOf(current)}
      onChange={(event) => {
        const chosen = options.find((option) => keyOf(option) === event.currentTarget.value);
        if (chosen) onChange(chosen.value);
      }}
      {...rest}
    >
      {[...new Set(options.map(({ group }) => group))].map((group) => {
        const inGroup = options
          .filter((option) => option.group === group)
          .map((option) => (
            <option key={keyOf(option)} value={keyOf(option)} disabled={option.disabled} title={option.title}>
              {option.label}
            </option>
          ));
        return group === undefined ? (
          inGroup
        ) : (
          <optgroup key={group} label={group}>
            {inGroup}
          </optgroup>
        );
      })}
    </select>
  );
}

interface SelectFieldProps<T>
  extends
    Pick<FieldProps, 'label' | 'hint' | 'title' | 'className'>,
    Pick<SelectProps<T>, 'value' | 'options' | 'onChange' | 'mono' | 'disabled'> {}

/** A select with its label above it. */
export function SelectField<T>({ label, hint, title, className, ...select }: SelectFieldProps<T>) {
  return (
    <Field label={label} hint={hint} title={title} className={className}>
      {(control) => <Select {...control} {...select} />}
    </Field>
  );
}

/** The text by which the browser knows an option. */
function keyOf<T>({ key, value }: SelectOption<T>): string {
  return key ?? String(value);
}

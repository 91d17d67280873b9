import { useState } from 'react';
import { useStore } from 'zustand';
import type { SizeField } from '../../../core/operations/operation.ts';
import { OPERATIONS } from '../../../core/operations/index.ts';
import { useApp } from '../../../kit/app-context.ts';
import { NumberInput } from '../../../kit/controls/NumberInput.tsx';
import { operationOf, sizesOf, withOperation, withPart, withSize } from '../../../state/bench-form.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { Select } from '../../../kit/controls/Select.tsx';

/** Which operation to run, and its sizes. */
export function OperationChoice() {
  const { benchForm } = useApp();
  const form = useStore(benchForm);
  const operation = operationOf(form);
  const sizes = sizesOf(form);
  return (
    <Section title="Operation">
      <Select
        aria-label="Operation"
        value={operation.id}
        options={OPERATIONS.map(({ id, title }) => ({ value: id, label: title }))}
        onChange={(id) => benchForm.setState((f) => withOperation(f, id))}
      />
      <p className="field-hint workload-hint">{operation.summary}</p>
      {Object.keys(sizes).length > 0 && (
        <div className="fields-2 operation-sizes">
          {Object.entries(operation.sizes).map(([name, field]) => (
            <SizeInput
              key={`${operation.id} ${name}`}
              field={field}
              value={sizes[name]}
              onChange={(value) => benchForm.setState((f) => withSize(f, name, value))}
              onValidity={(right) => benchForm.setState((f) => withPart(f, `size ${name}`, right))}
            />
          ))}
        </div>
      )}
    </Section>
  );
}

interface SizeInputProps {
  readonly field: SizeField;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly onValidity: (right: boolean) => void;
}

/** A size field; a value that is not a multiple of the step is reported and rejected. */
function SizeInput({ field, value, onChange, onValidity }: SizeInputProps) {
  const { label, meaning, min, max, step = 1 } = field;
  const [between, setBetween] = useState<number | null>(null);
  return (
    <div>
      <NumberInput
        label={label}
        hint={meaning}
        value={value}
        min={min}
        max={max}
        whole
        onChange={(next) => {
          const right = next % step === 0;
          setBetween(right ? null : next);
          onValidity(right);
          if (right) onChange(next);
        }}
        onValidity={(right) => {
          if (right) return;
          setBetween(null);
          onValidity(false);
        }}
      />
      {between !== null && (
        <p className="field-error" role="alert">
          Found {between}, expected a multiple of {step}.
        </p>
      )}
    </div>
  );
}

import { useStore } from 'zustand';
import { OPERATIONS } from '../../core/operations/index.ts';
import { useApp } from '../app-context.ts';
import { NumberInput } from '../parts/NumberInput.tsx';
import { operationOf, sizesOf, withOperation, withPart, withSize } from './bench-form.ts';

/** Which operation runs, and on how much. */
export function OperationChoice() {
  const { benchForm } = useApp();
  const form = useStore(benchForm);
  const operation = operationOf(form);
  const sizes = sizesOf(form);
  return (
    <section className="section" aria-labelledby="operation-title">
      <div className="section-head">
        <h2 id="operation-title">Operation</h2>
      </div>
      <select
        className="select"
        aria-labelledby="operation-title"
        value={operation.id}
        onChange={(event) => {
          const { value } = event.currentTarget;
          benchForm.setState((f) => withOperation(f, value));
        }}
      >
        {OPERATIONS.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      <p className="field-hint workload-hint">{operation.summary}</p>
      {Object.keys(sizes).length > 0 && (
        <div className="fields-2 operation-sizes">
          {Object.entries(operation.sizes).map(([name, field]) => (
            <NumberInput
              key={`${operation.id} ${name}`}
              label={field.label}
              hint={field.meaning}
              value={sizes[name]}
              min={field.min}
              max={field.max}
              whole
              onChange={(value) => benchForm.setState((f) => withSize(f, name, value))}
              onValidity={(right) => benchForm.setState((f) => withPart(f, `size ${name}`, right))}
            />
          ))}
        </div>
      )}
    </section>
  );
}

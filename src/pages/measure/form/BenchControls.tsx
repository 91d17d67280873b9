import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { OPERATIONS, SPMV } from '../../../core/operations/index.ts';
import { withFastKernels } from '../../../kit/devices/page-recordings.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { GeneratorForm } from '../../../kit/forms/GeneratorForm.tsx';
import { NumberInput } from '../../../kit/controls/NumberInput.tsx';
import { Stack } from '../../../kit/primitives/Layout.tsx';
import { nameAndShape } from '../../../kit/words/quantity.ts';
import { Segmented } from '../../../kit/controls/Segmented.tsx';
import {
  type BenchForm,
  operationOf,
  processorFor,
  runProblem,
  sizesOf,
  withOperation,
  withValidity,
  withSize,
} from '../../../state/index.ts';
import { PAGE_ROUNDS } from '../../../core/bench/round-counts.ts';
import { chosenSweep, sweepOffers, toSweep } from './bench-sweep.ts';
import { KernelChoice } from './KernelChoice.tsx';
import { useShowDetails } from '../use-show-details.ts';
import { useBenchSetup } from './bench-setup.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { Select, SelectField } from '../../../kit/controls/Select.tsx';
import type { SizeField } from '../../../core/operations/operation.ts';
import { Button } from '../../../kit/controls/Button.tsx';

/** The collapsible section 'settings and sweeps': operation, matrix, formats, memory, rounds of a run, and sweeps. */
export function BenchControls() {
  const { benchForm } = useApp();
  const form = useStore(benchForm);
  const summary = useSession((s) => s.summary);
  // An invalid input is discarded when the user leaves the page; the last valid number stays.
  useEffect(() => () => benchForm.setState({ invalidParts: [] }), [benchForm]);
  const set = (change: Partial<BenchForm>): void => benchForm.setState(change);

  return (
    <div className="bench-controls columns-[20rem] gap-x-10 max-w-[70rem]">
      <OperationChoice />
      <Section title="Workload">
        <Select
          aria-label="Workload"
          value={form.workload}
          options={[
            { value: 'stage', label: 'this matrix' },
            { value: 'generated', label: 'generated' },
          ]}
          onChange={(workload) => set({ workload })}
        />
        {form.workload === 'stage' ? (
          <p className="field-hint mt-2">
            {summary ? nameAndShape(summary).replaceAll(' × ', '\u00a0×\u00a0') : 'No matrix is open.'}
          </p>
        ) : (
          <div className="mt-4">
            <GeneratorForm
              initial={form.spec}
              embedded
              onGenerate={(spec) => set({ spec })}
              onSpec={(spec) =>
                benchForm.setState((f) => withValidity(spec ? { ...f, spec } : f, 'workload', spec !== null))
              }
            />
          </div>
        )}
      </Section>
      <KernelChoice form={form} set={set} />
      <Section label="How to measure">
        <Stack gap={3}>
          <MemoryChoice form={form} set={set} />
          <WhereChoice form={form} set={set} />
          <NumberInput
            label="rounds"
            hint="every kernel once, in shuffled order"
            value={form.rounds}
            min={PAGE_ROUNDS.min}
            max={PAGE_ROUNDS.max}
            isInteger
            onChange={(rounds) => set({ rounds })}
            onValidity={(isValid) => benchForm.setState((f) => withValidity(f, 'rounds', isValid))}
          />
        </Stack>
      </Section>
      <Sweep set={set} />
    </div>
  );
}

interface ChoiceProps {
  readonly form: BenchForm;
  readonly set: (change: Partial<BenchForm>) => void;
}

/** The choice of a sweep over densities, shapes, sizes or a parameter, and the button that runs it. */
function Sweep({ set }: Pick<ChoiceProps, 'set'>) {
  const app = useApp();
  const { session } = app;
  const showKernels = useShowDetails('kernels');
  const setup = useBenchSetup();
  const running = useSession((s) => s.bench.running !== null);
  const opening = useSession((s) => s.opening !== null);
  const problem = runProblem(setup);
  // While a matrix is being opened, a run can be started: it waits for the matrix.
  const disabled = problem !== null || (setup.form.workload === 'stage' && !setup.openMatrix && !opening);
  const offers = sweepOffers(setup);
  const offer = chosenSweep(setup.form, offers);
  const sweep = (): void => {
    const { axis, ...sweepRequest } = toSweep(setup, offer.choice);
    const request = withFastKernels(app, sweepRequest.request);
    showKernels();
    void (axis ? session.runSweep(request, axis) : session.runBench(request));
  };
  return (
    <Section className="bench-run grid gap-2" label="Sweep">
      {problem !== null && <p className="field-hint">{problem}</p>}
      <SelectField
        className="bench-sweep mt-3"
        label="sweep"
        value={offer}
        options={offers.map((value) => ({ value, key: value.id, label: value.label }))}
        onChange={({ choice }) => set({ sweep: choice })}
      />
      <Button
        className="w-full min-h-9"
        disabled={disabled}
        aria-disabled={running}
        onClick={running ? undefined : sweep}
      >
        {offer.action}
      </Button>
      {offer.hint !== null && <p className="field-hint">{offer.hint}</p>}
    </Section>
  );
}

/** Whether a run reads its weights from memory, or may find them in a cache; on the CPU always the latter. */
function MemoryChoice({ form, set }: ChoiceProps) {
  const device = useSession((s) => s.device);
  const onCpu = processorFor(form, device) === 'cpu';
  const memory = onCpu ? 'warm' : form.memory;
  return (
    <>
      <Segmented
        label="Memory"
        value={memory}
        options={[
          { value: 'cold', label: 'cold', disabled: onCpu },
          { value: 'warm', label: 'warm' },
        ]}
        onChange={(chosen) => set({ memory: chosen })}
      />
      <p className="field-hint">
        {memory === 'cold'
          ? 'Copies rotate: every run reads from memory.'
          : 'The same weights: they may be in a cache.'}
      </p>
    </>
  );
}

/** Whether kernels run on the GPU or on the CPU, and why one of them is unavailable. */
function WhereChoice({ form, set }: ChoiceProps) {
  const device = useSession((s) => s.device);
  const isUnavailable = device?.kind === 'unavailable';
  const isGpuOnly = operationOf(form).id !== SPMV.id;
  const where = processorFor(form, device);
  return (
    <>
      <Segmented
        label="Where"
        value={where}
        options={[
          { value: 'gpu', label: 'GPU', disabled: isUnavailable },
          { value: 'cpu', label: 'CPU', disabled: isGpuOnly },
        ]}
        onChange={(chosen) => set({ where: chosen })}
      />
      {isUnavailable && <p className="field-hint">{device.reason}</p>}
      {isGpuOnly && <p className="field-hint">The CPU runs only {SPMV.title}.</p>}
      {!isUnavailable && where === 'cpu' && <p className="field-hint">One thread, in TypeScript.</p>}
    </>
  );
}

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
      <p className="field-hint mt-2">{operation.summary}</p>
      {Object.keys(sizes).length > 0 && (
        <div className="fields-2 mt-3">
          {Object.entries(operation.sizes).map(([name, field]) => (
            <SizeInput
              key={`${operation.id} ${name}`}
              field={field}
              value={sizes[name]}
              onChange={(value) => benchForm.setState((f) => withSize(f, name, value))}
              onValidity={(isValid) => benchForm.setState((f) => withValidity(f, `size ${name}`, isValid))}
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
  readonly onValidity: (isValid: boolean) => void;
}

/** A size field; a value that is not a multiple of the step is reported and rejected. */
function SizeInput({ field, value, onChange, onValidity }: SizeInputProps) {
  const { label, meaning, min, max, step = 1 } = field;
  const [rejected, setRejected] = useState<number | null>(null);
  return (
    <div>
      <NumberInput
        label={label}
        hint={meaning}
        value={value}
        min={min}
        max={max}
        isInteger
        onChange={(next) => {
          const isValid = next % step === 0;
          setRejected(isValid ? null : next);
          onValidity(isValid);
          if (isValid) onChange(next);
        }}
        onValidity={(isValid) => {
          if (isValid) return;
          setRejected(null);
          onValidity(false);
        }}
      />
      {rejected !== null && (
        <p className="field-error" role="alert">
          Found {rejected}, expected a multiple of {step}.
        </p>
      )}
    </div>
  );
}

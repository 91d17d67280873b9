import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { AnyFormat } from '../../core/format.ts';
import type { MatrixSummary } from '../../worker/protocol.ts';
import { useApp, useDocument, useSession } from '../app-context.ts';
import { isApple } from '../shell/Header.tsx';
import { GeneratorForm } from '../matrix/GeneratorForm.tsx';
import { NumberInput } from '../parts/NumberInput.tsx';
import { paramText, shape } from '../parts/quantity.ts';
import { Segmented } from '../parts/Segmented.tsx';
import {
  type BenchForm,
  formProblem,
  REFERENCE_FORMAT,
  ROUNDS,
  SWEEP_DENSITIES,
  toRequest,
  toSweepRequest,
  type Variants,
  withPart,
} from './bench-form.ts';

/** What runs, on what, how: the left side of the benchmark page. */
export function BenchControls() {
  const { benchForm, session, document: documentStore, formats } = useApp();
  const form = useStore(benchForm);
  const summary = useSession((s) => s.summary);
  const device = useSession((s) => s.device);
  const running = useSession((s) => s.bench.running !== null);
  const ran = useSession((s) => s.bench.runs.length > 0);
  const valid = formProblem(form) === null;
  // What was typed wrongly goes with the page; the last right numbers stay.
  useEffect(() => () => benchForm.setState({ wrong: [] }), [benchForm]);
  const set = (change: Partial<BenchForm>): void => benchForm.setState(change);
  const run = (): void => void session.runBench(toRequest(form, documentStore.getState(), formats, device));
  const sweep = (): void =>
    void session.runSweep(toSweepRequest(form, documentStore.getState(), formats, device, summary), {
      of: 'density',
      values: SWEEP_DENSITIES,
    });

  return (
    <div className="bench-controls">
      <section className="section" aria-labelledby="workload-title">
        <div className="section-head">
          <h2 id="workload-title">Workload</h2>
        </div>
        <select
          className="select"
          aria-labelledby="workload-title"
          value={form.workload}
          onChange={(event) => set({ workload: event.currentTarget.value === 'stage' ? 'stage' : 'generated' })}
        >
          <option value="stage">matrix on the stage</option>
          <option value="generated">generated</option>
        </select>
        {form.workload === 'stage' ? (
          <p className="field-hint workload-hint">{summary ? stageText(summary) : 'No matrix is open yet.'}</p>
        ) : (
          <div className="workload-form">
            <GeneratorForm
              initial={form.spec}
              embedded
              onGenerate={(spec) => set({ spec })}
              onSpec={(spec) =>
                benchForm.setState((f) => withPart(spec ? { ...f, spec } : f, 'workload', spec !== null))
              }
            />
          </div>
        )}
      </section>
      <KernelChoice form={form} set={set} />
      <section className="section" aria-label="How to measure">
        <div className="bench-options">
          <MemoryChoice form={form} set={set} />
          <WhereChoice form={form} set={set} />
          <NumberInput
            label="rounds"
            hint="Every kernel runs once in every round, in an order that is shuffled anew."
            value={form.rounds}
            min={ROUNDS.min}
            max={ROUNDS.max}
            whole
            onChange={(rounds) => set({ rounds })}
            onValidity={(right) => benchForm.setState((f) => withPart(f, 'rounds', right))}
          />
        </div>
      </section>
      <section className="section bench-run" aria-label="Run">
        <button
          type="button"
          className="button button--solid button--wide"
          disabled={running || !valid || (form.workload === 'stage' && !summary)}
          onClick={run}
        >
          {ran ? 'Run again' : 'Run'} <kbd>{isApple() ? '⌘↵' : 'Ctrl ↵'}</kbd>
        </button>
        <button type="button" className="button button--wide" disabled={running || !valid} onClick={sweep}>
          Run at {SWEEP_DENSITIES.length} densities
        </button>
      </section>
    </div>
  );
}

/** A generated matrix has its shape in its name. */
function stageText({ name, rows, cols, source }: MatrixSummary): string {
  return source.kind === 'generated' ? name : `${name}, ${shape(rows, cols).replaceAll(' ', '\u00a0')}`;
}

interface ChoiceProps {
  readonly form: BenchForm;
  readonly set: (change: Partial<BenchForm>) => void;
}

const VARIANTS: readonly { readonly value: Variants; readonly label: string }[] = [
  { value: 'auto', label: 'the fastest of each, by trial' },
  { value: 'all', label: 'every variant' },
  { value: 'chosen', label: 'chosen below' },
];

function KernelChoice({ form, set }: ChoiceProps) {
  const { formats } = useApp();
  const toggle = (list: readonly string[], id: string): readonly string[] =>
    list.includes(id) ? list.filter((other) => other !== id) : [...list, id];
  return (
    <section className="section">
      <fieldset>
        <legend className="section-head">
          <span className="legend">Kernels</span>
        </legend>
        {formats.map((format) => (
          <FormatChoice
            key={format.id}
            format={format}
            form={form}
            onToggle={() => set({ formats: toggle(form.formats, format.id) })}
            onToggleKernel={(id) => set({ kernels: toggle(form.kernels, id) })}
          />
        ))}
      </fieldset>
      <label className="field variants">
        <span className="field-label">variants</span>
        <select
          className="select"
          value={form.variants}
          onChange={(event) => {
            const chosen = VARIANTS.find((v) => v.value === event.currentTarget.value);
            if (chosen) set({ variants: chosen.value });
          }}
        >
          {VARIANTS.map((v) => (
            <option key={v.value} value={v.value}>
              {v.label}
            </option>
          ))}
        </select>
      </label>
    </section>
  );
}

interface FormatChoiceProps {
  readonly format: AnyFormat;
  readonly form: BenchForm;
  readonly onToggle: () => void;
  readonly onToggleKernel: (id: string) => void;
}

function FormatChoice({ format, form, onToggle, onToggleKernel }: FormatChoiceProps) {
  const isReference = format.id === REFERENCE_FORMAT;
  const params = useDocument((doc) => doc.params[format.id]);
  const on = isReference || form.formats.includes(format.id);
  return (
    <>
      <label className="check" title={isReference ? 'Always runs: the others are compared with it.' : format.summary}>
        <input type="checkbox" checked={on} disabled={isReference} onChange={onToggle} />
        <span className="swatch" style={{ '--swatch': `var(--format-${format.id}, var(--text-muted))` }} />
        <span>{format.title}</span>
        <span className="check-aside faint">{paramText(params ?? {})}</span>
      </label>
      {form.variants === 'chosen' && on && (
        <ul className="kernel-list">
          {format.kernels.map((kernel) => (
            <li key={kernel.id}>
              <label className="check">
                <input
                  type="checkbox"
                  checked={form.kernels.includes(kernel.id)}
                  onChange={() => onToggleKernel(kernel.id)}
                />
                <span>{kernel.title}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function MemoryChoice({ form, set }: ChoiceProps) {
  const unavailable = useSession((s) => s.device?.kind === 'unavailable');
  const onCpu = unavailable || form.where === 'cpu';
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
          ? 'Copies of the weights take turns, so that every run reads from memory.'
          : 'The same weights in every run: a cache may hold them.'}
      </p>
    </>
  );
}

function WhereChoice({ form, set }: ChoiceProps) {
  const device = useSession((s) => s.device);
  const unavailable = device?.kind === 'unavailable';
  return (
    <>
      <Segmented
        label="Where"
        value={unavailable ? 'cpu' : form.where}
        options={[
          { value: 'gpu', label: 'GPU', disabled: unavailable },
          { value: 'cpu', label: 'CPU' },
        ]}
        onChange={(where) => set({ where })}
      />
      {unavailable && <p className="field-hint">{device.reason}</p>}
      {!unavailable && form.where === 'cpu' && (
        <p className="field-hint">One thread of this machine, in plain TypeScript.</p>
      )}
    </>
  );
}

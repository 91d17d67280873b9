import { type AnyListedFormat, resolvedParams } from '../../../core/format.ts';
import { variantId } from '../../../state/index.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import {
  type BenchForm,
  canRun,
  comparedCellsOf,
  draftsFor,
  kernelsOf,
  operationOf,
  paramsToRun,
  placeToRun,
  type Variants,
} from '../../../state/bench-form.ts';
import { REFERENCE_FORMAT } from '../../../state/reference-format.ts';
import { paramLabels } from '../../../kit/report/param-words.ts';
import { useBenchSetup } from './use-bench-setup.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { FieldGroup, Section } from '../../../kit/controls/Section.tsx';

export interface KernelChoiceProps {
  readonly form: BenchForm;
  readonly set: (change: Partial<BenchForm>) => void;
}

const VARIANTS: readonly { readonly value: Variants; readonly label: string }[] = [
  { value: 'auto', label: 'the fastest of each, found by trial' },
  { value: 'all', label: 'every variant' },
  { value: 'chosen', label: 'chosen below' },
];

/** Which formats run, and which of their kernels for the chosen operation. */
export function KernelChoice({ form, set }: KernelChoiceProps) {
  const { formats } = useApp();
  const toggle = (list: readonly string[], id: string): readonly string[] =>
    list.includes(id) ? list.filter((other) => other !== id) : [...list, id];
  return (
    <Section>
      <FieldGroup title="Kernels">
        {formats.map((format) => (
          <FormatChoice
            key={format.id}
            format={format}
            form={form}
            onToggle={() => set({ formats: toggle(form.formats, format.id) })}
            onToggleBeside={(cells) => set({ beside: toggle(form.beside, cells) })}
            onToggleKernel={(id) => set({ kernels: toggle(form.kernels, id) })}
          />
        ))}
      </FieldGroup>
      <DraftChoice form={form} onToggle={(id) => set({ withoutDrafts: toggle(form.withoutDrafts, id) })} />
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
    </Section>
  );
}

/** Drafts that were put beside the kernels, each marked as one. */
function DraftChoice({ form, onToggle }: { readonly form: BenchForm; readonly onToggle: (id: string) => void }) {
  const drafts = draftsFor(useBenchSetup());
  if (drafts.length === 0) return null;
  return (
    <FieldGroup title="Your drafts" aside="in this session" className="bench-drafts">
      {drafts.map((variant) => {
        const id = variantId(variant);
        return (
          <label key={id} className="check" title={`A draft of ${variant.kernel}: it is checked on the matrix before`}>
            <input type="checkbox" checked={!form.withoutDrafts.includes(id)} onChange={() => onToggle(id)} />
            <Swatch format={variant.format} />
            <span>{variant.mark.name}</span>
            <span className="check-aside faint">draft {variant.mark.version}</span>
          </label>
        );
      })}
    </FieldGroup>
  );
}

interface FormatChoiceProps {
  readonly format: AnyListedFormat;
  readonly form: BenchForm;
  readonly onToggle: () => void;
  readonly onToggleBeside: (cells: string) => void;
  readonly onToggleKernel: (id: string) => void;
}

function FormatChoice({ format, form, onToggle, onToggleBeside, onToggleKernel }: FormatChoiceProps) {
  const device = useSession((s) => s.device);
  const params = useDocument((doc) => doc.params[format.id]) ?? {};
  const isReference = format.id === REFERENCE_FORMAT;
  const able = canRun(format, form, device);
  const on = able && (isReference || form.formats.includes(format.id));
  const used = paramsToRun(format, form, params);
  const stage = useSession((s) => s.summary);
  const shape = form.workload === 'stage' ? stage : form.spec;
  const { title } = operationOf(form);
  return (
    <>
      <label
        className="check"
        title={able ? hintOf(format, used === params, title) : `${format.title} has no kernel for ${title}.`}
      >
        <input type="checkbox" checked={on} disabled={isReference || !able} onChange={onToggle} />
        <Swatch format={format.id} />
        <span>{format.title}</span>
        <span className="check-aside faint">
          {able ? paramLabels(format, shape ? resolvedParams(format.params, used, shape) : used) : 'no kernel for this'}
        </span>
      </label>
      {comparedCellsOf(format, form, used).map((cells) => (
        <label
          key={cells}
          className="check check--under"
          title={`${format.title} in fewer bits, compared with ${String(used.valueType)}`}
        >
          <input type="checkbox" checked={form.beside.includes(cells)} onChange={() => onToggleBeside(cells)} />
          <span>
            also in {cells}
            <span className="unseen">, {format.title}</span>
          </span>
        </label>
      ))}
      {on && form.workload === 'stage' && <StageRefusal format={format} />}
      {form.variants === 'chosen' && on && placeToRun(form, device) === 'gpu' && (
        <ul className="kernel-list">
          {kernelsOf(format, form).map((kernel) => (
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

function hintOf(format: AnyListedFormat, isAsChosen: boolean, operation: string): string {
  if (!isAsChosen) return `Not as on the stage: ${operation} has kernels only for these parameters.`;
  return format.id === REFERENCE_FORMAT ? 'Always runs: everything is compared with it.' : format.summary;
}

/** That a format cannot hold this matrix, before it is found out in a run; pruning is offered. */
function StageRefusal({ format }: { readonly format: AnyListedFormat }) {
  const { session } = useApp();
  const encoding = useSession((s) => s.encodings[format.id]);
  const admission = encoding?.kind === 'ready' ? encoding.summary.admission : null;
  if (admission === null || admission.ok) return null;
  const { reason, prune } = admission;
  return (
    <p className="field-hint format-refusal" title={reason}>
      cannot hold this matrix
      {prune && (
        <>
          :{' '}
          <button
            type="button"
            className="text-button"
            onClick={() => void session.prune({ way: 'n-of-m', kept: prune.kept, group: prune.group })}
          >
            prune it to {prune.kept}:{prune.group}
          </button>
        </>
      )}
    </p>
  );
}

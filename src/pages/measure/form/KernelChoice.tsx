import { type AnyListedFormat, resolvedParams } from '../../../core/format.ts';
import {
  asMessage,
  variantId,
  type BenchForm,
  canRun,
  comparedValueTypes,
  draftsFor,
  kernelsOf,
  pairOf,
  paramsToRun,
  processorFor,
  type KernelsToRun,
  REFERENCE_FORMAT,
} from '../../../state/index.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { paramLabels } from '../../../kit/report/report-labels.ts';
import { useBenchSetup } from './bench-setup.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { Section } from '../../../kit/controls/Section.tsx';
import { SelectField } from '../../../kit/controls/Select.tsx';
import { Checkbox } from '../../../kit/controls/Checkbox.tsx';
import { toggled } from '../../../kit/toggled.ts';
import type { ReactNode } from 'react';
import { TextButton } from '../../../kit/controls/Button.tsx';

interface FieldGroupProps {
  readonly title: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A fieldset whose legend has the style of a section heading. */
function FieldGroup({ title, className, children }: FieldGroupProps) {
  return (
    <fieldset className={className}>
      <legend className="section-head w-full flex items-baseline justify-between gap-3 mb-2 min-h-6">
        <span className="legend">{title}</span>
      </legend>
      {children}
    </fieldset>
  );
}

interface KernelChoiceProps {
  readonly form: BenchForm;
  readonly set: (change: Partial<BenchForm>) => void;
}

const VARIANTS: readonly { readonly value: KernelsToRun; readonly label: string }[] = [
  { value: 'auto', label: 'the fastest, by trial' },
  { value: 'all', label: 'every variant' },
  { value: 'chosen', label: 'chosen below' },
];

/** The choice of the formats and kernels that the page Measure times in a run. */
export function KernelChoice({ form, set }: KernelChoiceProps) {
  const { formats } = useApp();
  const { pair } = useBenchSetup();
  const ticked = pairOf({ form, ...(pair && { pair }) })?.map(({ format }) => format) ?? form.formats;
  return (
    <Section>
      <p
        className="flex gap-4 mb-2 *:aria-pressed:font-semibold *:aria-pressed:no-underline"
        role="group"
        aria-label="What runs"
      >
        <TextButton aria-pressed={form.pair} onClick={() => set({ pair: true })}>
          A against B
        </TextButton>
        <TextButton
          aria-pressed={!form.pair && formats.every(({ id }) => id === REFERENCE_FORMAT || form.formats.includes(id))}
          onClick={() => set({ pair: false, formats: formats.map(({ id }) => id) })}
        >
          all formats
        </TextButton>
      </p>
      <FieldGroup title="Kernels">
        {formats.map((format) => (
          <FormatKernels
            key={format.id}
            format={format}
            form={form}
            isTicked={ticked.includes(format.id)}
            onToggle={() => set({ pair: false, formats: toggled(ticked, format.id) })}
            onToggleValueType={(valueType) => set({ beside: toggled(form.beside, valueType) })}
            onToggleKernel={(id) => set({ kernels: toggled(form.kernels, id) })}
          />
        ))}
      </FieldGroup>
      <DraftChoice form={form} onToggle={(id) => set({ withoutDrafts: toggled(form.withoutDrafts, id) })} />
      <SelectField
        className="mt-3"
        label="variants"
        value={form.variants}
        options={VARIANTS}
        onChange={(variants) => set({ variants })}
      />
    </Section>
  );
}

/** A checkbox for each kernel that the user is editing (a draft): if cleared, a run omits it. */
function DraftChoice({ form, onToggle }: { readonly form: BenchForm; readonly onToggle: (id: string) => void }) {
  const drafts = draftsFor(useBenchSetup());
  if (drafts.length === 0) return null;
  return (
    <FieldGroup title="Your drafts" className="mt-4">
      {drafts.map((variant) => {
        const id = variantId(variant);
        return (
          <Checkbox key={id} checked={!form.withoutDrafts.includes(id)} onChange={() => onToggle(id)}>
            <Swatch format={variant.format} />
            <span>{variant.mark.name}</span>
            <span className="text-12 whitespace-nowrap text-quiet ms-auto">draft {variant.mark.version}</span>
          </Checkbox>
        );
      })}
    </FieldGroup>
  );
}

interface FormatKernelsProps {
  readonly format: AnyListedFormat;
  readonly form: BenchForm;
  readonly isTicked: boolean;
  readonly onToggle: () => void;
  /** adds or removes a run of the format in another value type */
  readonly onToggleValueType: (valueType: string) => void;
  readonly onToggleKernel: (id: string) => void;
}

/** One format to tick, with its parameters; below it, if it runs, its other value types and its kernels. */
function FormatKernels({ format, form, isTicked, onToggle, onToggleValueType, onToggleKernel }: FormatKernelsProps) {
  const device = useSession((s) => s.device);
  const params = useDocument((doc) => doc.params[format.id]) ?? {};
  const isReference = format.id === REFERENCE_FORMAT;
  const isAble = canRun(format, form, device);
  const runs = isAble && (isReference || isTicked);
  const runParams = paramsToRun(format, form, params);
  const openMatrix = useSession((s) => s.summary);
  const shape = form.workload === 'stage' ? openMatrix : form.spec;
  return (
    <>
      <Checkbox checked={runs} disabled={isReference || !isAble} onChange={onToggle}>
        <Swatch format={format.id} />
        <span>{format.title}</span>
        <span className="text-12 whitespace-nowrap text-quiet ms-auto">
          {isAble
            ? paramLabels(format, shape ? resolvedParams(format.params, runParams, shape) : runParams)
            : 'no kernel'}
        </span>
      </Checkbox>
      {comparedValueTypes(format, form, runParams).map((valueType) => (
        <Checkbox
          key={valueType}
          className="ms-[1.4rem] text-12"
          checked={form.beside.includes(valueType)}
          onChange={() => onToggleValueType(valueType)}
        >
          <span>
            also in {valueType}
            <span className="unseen">, {format.title}</span>
          </span>
        </Checkbox>
      ))}
      {runs && form.workload === 'stage' && <MatrixRejection format={format} />}
      {form.variants === 'chosen' && runs && processorFor(form, device) === 'gpu' && (
        <ul className="mb-2 ms-[1.4rem] text-12">
          {kernelsOf(format, form).map((kernel) => (
            <li key={kernel.id}>
              <Checkbox
                className="items-start leading-[1.35] [&>input]:mt-px"
                checked={form.kernels.includes(kernel.id)}
                onChange={() => onToggleKernel(kernel.id)}
              >
                <span>{kernel.title}</span>
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A warning before the run that a format cannot store this matrix, with a button that prunes it. */
function MatrixRejection({ format }: { readonly format: AnyListedFormat }) {
  const { session } = useApp();
  const encoding = useSession((s) => s.encodings[format.id]);
  const support = encoding?.kind === 'ready' ? encoding.summary.support : null;
  if (support === null || support.ok) return null;
  const { reason, prune } = support;
  return (
    <p className="field-hint mb-2 ms-6 underlined" title={asMessage(reason)}>
      cannot store this matrix
      {prune && (
        <>
          :{' '}
          <TextButton onClick={() => void session.prune({ way: 'n-of-m', kept: prune.kept, group: prune.group })}>
            prune it to {prune.kept}:{prune.group}
          </TextButton>
        </>
      )}
    </p>
  );
}

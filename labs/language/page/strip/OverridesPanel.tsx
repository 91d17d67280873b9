// The choices for the matrices that are selected in the strip.

import { useId, useState } from 'react';
import { useApp, useCurrentFormat } from '../../../../src/kit/app-context.ts';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { Select } from '../../../../src/kit/controls/Select.tsx';
import { densityText } from '../../../../src/kit/words/shares.ts';
import type { StoredType } from '../../decoders/stored/recipe.ts';
import {
  matrixPruningOf,
  CRITERION_WORDS,
  isSameMatrix,
  type MatrixAt,
  type MatrixChoice,
  pruningDensity,
  type MatrixPruning,
  pruningWords,
  storesType,
  VALUE_TYPES,
} from '../../overrides/matrix-overrides.ts';
import { densityOf, type LanguageModelChoice } from '../model-choice.ts';
import type { ModelOverrides } from '../use-matrix-overrides.ts';

interface OverridesPanelProps {
  readonly modelChoice: LanguageModelChoice;
  /** the matrices whose pruning, value type or format differs from the model's */
  readonly modelOverrides: ModelOverrides;
  /** the selected matrices: at least one */
  readonly matrices: readonly MatrixAt[];
  /** whether pressing a matrix in the strip of all matrices adds it to the selection */
  readonly isAdding: boolean;
  readonly onAdding: (isAdding: boolean) => void;
  /** opens the matrix on the page Watch; undefined if a second press in the strip does so */
  readonly onOpen?: (() => void) | undefined;
  readonly onClose: () => void;
}

/** The density of a pruning method that the user chooses while nothing is pruned. */
const DEFAULT_DENSITY = 0.5;

/** The option displayed if the selected matrices have different choices. */
const SEVERAL = 'several';
const SEVERAL_OPTION = { value: SEVERAL, label: 'several', disabled: true };
/** The option without an override: the choice for the whole model. */
const SAME = '';

/** N:M patterns: N weights remain in each group of M. */
const PATTERNS = [
  [2, 4],
  [4, 8],
  [6, 8],
] as const;

/** Pruning methods for single matrices; `toDensity`: the pruning to a density, which some methods ignore. */
const METHODS: readonly {
  readonly id: string;
  readonly title: string;
  readonly toDensity: (density: number) => MatrixPruning;
}[] = [
  { id: 'none', title: 'not pruned', toDensity: () => ({ way: 'none' }) },
  { id: 'wanda', title: CRITERION_WORDS.wanda, toDensity: (density) => ({ way: 'wanda', density }) },
  { id: 'rows', title: CRITERION_WORDS.rows, toDensity: (density) => ({ way: 'rows', density }) },
  { id: 'magnitude', title: CRITERION_WORDS.magnitude, toDensity: (density) => ({ way: 'magnitude', density }) },
  ...PATTERNS.map(([kept, group]) => ({
    id: `${kept}:${group}`,
    title: `${kept}:${group} ${CRITERION_WORDS.wanda}`,
    toDensity: (): MatrixPruning => ({ way: 'n-of-m', kept, group, by: 'wanda' }),
  })),
];

/** Returns the id in METHODS of a matrix's pruning. */
function methodOf(pruning: MatrixPruning | undefined): string {
  if (pruning === undefined) return SAME;
  return pruning.way === 'n-of-m' ? `${pruning.kept}:${pruning.group}` : pruning.way;
}

/** Fields for the format, pruning and value type of the selected matrices: as in the whole model, or otherwise. */
export function OverridesPanel({
  modelChoice,
  modelOverrides: { overrides, set: setOverrides },
  matrices,
  isAdding,
  onAdding,
  onOpen,
  onClose,
}: OverridesPanelProps) {
  const { formats } = useApp();
  const current = useCurrentFormat();
  const chosen = matrices.map((matrix): MatrixChoice => overrides.find((entry) => isSameMatrix(entry, matrix)) ?? {});
  /** The value of all selected matrices, or SEVERAL if they differ. */
  const commonOf = <T,>(valueOf: (choice: MatrixChoice) => T): T | typeof SEVERAL => {
    const values = new Set(chosen.map(valueOf));
    return values.size === 1 ? valueOf(chosen[0]) : SEVERAL;
  };
  const format = commonOf((choice) => choice.format ?? SAME);
  const method = commonOf((choice) => methodOf(choice.pruning));
  const valueType = commonOf((choice) => choice.valueType ?? SAME);
  const density = commonOf((choice) =>
    choice.pruning ? pruningDensity(choice.pruning) : densityOf(modelChoice.pruning),
  );
  const modelDensity = densityOf(modelChoice.pruning);
  const storingFormat =
    formats.find(({ id }) => id === (format === SAME || format === SEVERAL ? current.id : format)) ?? current;
  const haveDensity = chosen.every(({ pruning }) => pruning !== undefined && 'density' in pruning);
  const set = (change: MatrixChoice): void => setOverrides(matrices, change);
  const pruningLabel = pruningWords(matrixPruningOf(modelChoice.pruning));
  const isOverridden = chosen.some((choice) => choice.pruning ?? choice.valueType ?? choice.format);
  return (
    <section
      className="overrides-panel bottom-2 bg-control border border-hairline flex flex-wrap items-center gap-y-2 gap-x-4 text-12 sticky rounded-md px-3 py-2 z-2"
      aria-label="Choices of the selected matrices"
    >
      <p className="min-w-36 max-sm:col-span-full font-semibold">{selectedText(matrices)}</p>
      <FormatField {...{ format, valueType }} onChange={set} />
      <Labelled label="left">
        {(id) => (
          <Select
            id={id}
            value={method}
            options={[
              ...(method === SEVERAL ? [SEVERAL_OPTION] : []),
              { value: SAME, label: `as all: ${pruningLabel}` },
              ...METHODS.map(({ id: value, title }) => ({ value, label: title })),
              ...(method === 'random' ? [{ value: 'random', label: CRITERION_WORDS.random }] : []),
              ...(![SAME, SEVERAL, 'random', ...METHODS.map(({ id: methodId }) => methodId)].includes(method)
                ? [{ value: method, label: method }]
                : []),
            ]}
            onChange={(next) => {
              const newMethod = METHODS.find((candidate) => candidate.id === next);
              const isPruned = density !== SEVERAL && density < 1;
              const modelOrDefault = modelDensity < 1 ? modelDensity : DEFAULT_DENSITY;
              const newDensity = isPruned ? density : modelOrDefault;
              set({ pruning: newMethod?.toDensity(newDensity) });
            }}
          />
        )}
      </Labelled>
      {haveDensity && (
        <DensitySlider
          density={density === SEVERAL ? modelDensity : density}
          onChange={(newDensity) => {
            const pruning = chosen[0].pruning;
            if (pruning && 'density' in pruning) set({ pruning: { ...pruning, density: newDensity } });
          }}
        />
      )}
      <Labelled label="values">
        {(id) => (
          <Select
            id={id}
            value={valueType}
            options={[
              ...(valueType === SEVERAL ? [SEVERAL_OPTION] : []),
              { value: SAME, label: 'as the format' },
              ...VALUE_TYPES.map((value) => ({
                value,
                label: value,
                disabled: !storesType(storingFormat, value),
                title: storesType(storingFormat, value) ? undefined : `${storingFormat.title} does not store ${value}`,
              })),
            ]}
            onChange={(next) => set({ valueType: next === SAME ? undefined : (next as StoredType) })}
          />
        )}
      </Labelled>
      <span className="underlined flex gap-4 ms-auto max-sm:col-span-full">
        {onOpen && <TextButton onClick={onOpen}>open in Watch</TextButton>}
        <TextButton aria-pressed={isAdding} onClick={() => onAdding(!isAdding)}>
          {isAdding ? 'adding matrices' : 'add matrices'}
        </TextButton>
        {isOverridden && (
          <TextButton onClick={() => set({ format: undefined, pruning: undefined, valueType: undefined })}>
            reset
          </TextButton>
        )}
        <TextButton onClick={onClose}>done</TextButton>
      </span>
    </section>
  );
}

interface FormatFieldProps {
  /** ids of the format and the value type that all selected matrices have, or SEVERAL; SAME: as the whole model */
  readonly format: string;
  readonly valueType: string;
  readonly onChange: (change: MatrixChoice) => void;
}

/** The field for the format, which also removes a value type that the new format does not store. */
function FormatField({ format, valueType, onChange }: FormatFieldProps) {
  const { formats } = useApp();
  const current = useCurrentFormat();
  return (
    <Labelled label="format">
      {(id) => (
        <Select
          id={id}
          value={format}
          options={[
            ...(format === SEVERAL ? [SEVERAL_OPTION] : []),
            { value: SAME, label: `as A: ${current.title}` },
            ...formats.map(({ id: value, title }) => ({ value, label: title })),
          ]}
          onChange={(next) => {
            const newFormat = formats.find(({ id: formatId }) => formatId === next);
            const type = VALUE_TYPES.find((candidate) => candidate === valueType);
            const storesValueType = type !== undefined && newFormat !== undefined && storesType(newFormat, type);
            onChange({ format: next === SAME ? undefined : next, ...(!storesValueType && { valueType: undefined }) });
          }}
        />
      )}
    </Labelled>
  );
}

/** Returns a short text that names the selected matrices: 'layer 3 › q', 'q in 8 layers', '12 matrices'. */
export function selectedText(matrices: readonly MatrixAt[]): string {
  if (matrices.length === 1) return `layer ${matrices[0].layer} › ${matrices[0].name}`;
  const layers = new Set(matrices.map(({ layer }) => layer));
  const names = new Set(matrices.map(({ name }) => name));
  const isAll = matrices.length === layers.size * names.size;
  if (isAll && names.size === 1) return `${[...names][0]} in ${layers.size} layers`;
  if (isAll && layers.size === 1) return `layer ${[...layers][0]}: ${names.size} matrices`;
  return `${matrices.length} matrices`;
}

interface LabelledProps {
  readonly label: string;
  readonly children: (id: string) => React.ReactNode;
}

/** A label before a field. */
function Labelled({ label, children }: LabelledProps) {
  const id = useId();
  return (
    <span className="inline-flex max-sm:grid max-sm:grid-cols-subgrid max-sm:col-span-full items-center gap-2 text-muted [&>.select]:max-w-56 max-sm:[&>.select]:max-w-none">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </span>
  );
}

interface DensitySliderProps {
  readonly density: number;
  readonly onChange: (density: number) => void;
}

/** A slider for a density, which is applied when the slider is released. */
function DensitySlider({ density, onChange }: DensitySliderProps) {
  const [dragged, setDragged] = useState<number | null>(null);
  const visibleDensity = dragged ?? density;
  const release = (): void => {
    if (dragged !== null && dragged !== density) onChange(dragged);
    setDragged(null);
  };
  return (
    <label className="inline-flex max-sm:flex max-sm:col-span-full items-center gap-2 text-muted">
      <input
        className="max-sm:flex-1 accent-ink"
        type="range"
        min={0.02}
        max={1}
        step={0.01}
        aria-label="Left of the selected matrices"
        aria-valuetext={`${densityText(visibleDensity)} of the weights left`}
        value={visibleDensity}
        onChange={(event) => setDragged(Number(event.currentTarget.value))}
        onPointerUp={release}
        onKeyUp={release}
        onBlur={release}
      />
      <span className="number text-ink">{densityText(visibleDensity)}</span>
    </label>
  );
}

import { useId, useState } from 'react';
import { useChoices } from '../../../../src/kit/browser/choices.ts';
import { Strip } from '../strip/Strip.tsx';
import { useStoredBytes } from '../strip/use-stored-bytes.ts';
import type { LanguageModelChoice } from '../model-choice.ts';
import { isImported } from '../../theory/imported.ts';
import type { ModelOverrides } from '../use-matrix-overrides.ts';
import { SHARED_FIELDS } from '../fields.ts';
import { TabDetails } from '../TabDetails.tsx';
import { TEXT_FIELDS } from './fields.ts';
import { TextFigures } from './TextFigures.tsx';
import type { WritingState } from './use-writing.ts';

interface TextDetailsProps {
  readonly modelChoice: LanguageModelChoice;
  readonly writing: WritingState;
  /** the matrices with a custom pruning, value type or format */
  readonly modelOverrides: ModelOverrides;
}

/** The collapsible sections below the texts: figures, bytes of the matrices, and sampling of both models. */
export function TextDetails({ modelChoice, writing, modelOverrides }: TextDetailsProps) {
  const [{ by: calibration, fold: section }] = useChoices(SHARED_FIELDS);
  // An imported model is not read until it is requested to write.
  const isRead = !isImported(modelChoice.model.id) || writing.text.outcome !== null;
  const isCounted = isRead && (section.includes('figures') || section.includes('matrices'));
  const stored = useStoredBytes(modelChoice, modelOverrides.matrices, calibration, isCounted);
  return (
    <TabDetails
      sections={[
        {
          id: 'figures',
          title: 'figures',
          content: <TextFigures {...{ modelChoice, writing, stored, modelOverrides }} />,
        },
        {
          id: 'matrices',
          title: 'what a token reads',
          content: <Strip {...{ modelChoice, storedBytes: stored }} modelOverrides={modelOverrides} />,
        },
        { id: 'noise', title: 'noise', content: <Noise /> },
      ]}
      resetKey={modelChoice.model.id}
    />
  );
}

/** Fields for the seed and temperature with which the tokens of both texts are sampled. */
function Noise() {
  const [{ seed, temperature }, choose] = useChoices(TEXT_FIELDS);
  return (
    <p className="flex items-baseline gap-4 text-12">
      <NumberField label="seed" value={seed} max={2 ** 32 - 1} step={1} onChange={(next) => choose({ seed: next })} />
      <NumberField
        label="temperature"
        value={temperature}
        max={2}
        step={0.1}
        onChange={(next) => choose({ temperature: next })}
      />
      <span className="text-muted">the same noise for both models</span>
    </p>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
}

/** A number field: its value is applied when it loses the focus, or on Enter. */
function NumberField({ label, value, max, step, onChange }: NumberFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const accept = (): void => {
    const next = Number(typed ?? value);
    const isInRange = typed !== null && typed.trim() !== '' && next >= 0 && next <= max;
    if (isInRange && (step < 1 || Number.isInteger(next)) && next !== value) onChange(next);
    setTyped(null);
  };
  return (
    <span className="small-number inline-flex items-baseline gap-1">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="number rounded-[3px] bg-transparent text-ink font-semibold"
        inputMode="decimal"
        value={typed ?? String(value)}
        size={Math.max(2, (typed ?? String(value)).length)}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={accept}
        onKeyDown={(event) => {
          if (event.key === 'Enter') accept();
          else if (event.key === 'Escape') setTyped(null);
          else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
            event.preventDefault();
            const next = value + (event.key === 'ArrowUp' ? step : -step);
            onChange(Math.min(max, Math.max(0, Math.round(10 * next) / 10)));
          }
        }}
      />
    </span>
  );
}

import type { Pruning } from '../../../engine/matrix/pruning-way.ts';
import { useState } from 'react';
import { LiveSlider } from '../../../kit/forms/LiveSlider.tsx';
import { PATTERNS, PRUNE_SEED } from '../../../kit/forms/pruning.ts';
import { PruneSlider } from './PruneSlider.tsx';
import { SelectField } from '../../../kit/controls/Select.tsx';

export interface PruneControlProps {
  /** null: unpruned */
  readonly pruning: Pruning | null;
  /** density of the matrix on the stage: the first slider's initial value */
  readonly density: number;
  /** a pruning is in progress: shows the request, not the current state */
  readonly busy: boolean;
  /** activations are known, so that their norms can be used */
  readonly hasInputs: boolean;
  readonly onChange: (pruning: Pruning | null) => void;
  /** values while the slider moves; null: it is back at its old value */
  readonly onPreview: (pruning: Pruning | null) => void;
  /** the window shows a preview of such a pruning */
  readonly previewing: boolean;
}

const WAYS = [
  { way: 'magnitude', label: 'by magnitude' },
  { way: 'rows', label: 'by magnitude in every row' },
  { way: 'wanda', label: 'by Wanda, in every row' },
  { way: 'random', label: 'at random' },
  { way: 'n-of-m', label: 'to N of M neighbours' },
] as const;
type Way = (typeof WAYS)[number]['way'];

/** What to drop from the matrix, and how; "nothing" restores the whole matrix. */
export function PruneControl({
  pruning,
  density,
  busy,
  hasInputs,
  onChange,
  onPreview,
  previewing,
}: PruneControlProps) {
  const [asked, setAsked] = useState<Pruning | null>(pruning);
  const shown = busy ? asked : pruning;
  const ask = (next: Pruning | null): void => {
    setAsked(next);
    onChange(next);
  };
  const keptShare = shown && 'density' in shown ? shown.density : halved(density);
  return (
    <>
      <SelectField<Way | ''>
        label="Prune"
        hint={
          shown !== null &&
          !hasInputs &&
          'Wanda scores each weight by the activations it meets, and this matrix comes without any.'
        }
        value={shown?.way ?? ''}
        options={[
          { value: '', label: 'nothing' },
          ...WAYS.map(({ way, label }) => ({ value: way, label, disabled: way === 'wanda' && !hasInputs })),
        ]}
        onChange={(way) => ask(way === '' ? null : pruningOf(way, keptShare))}
      />
      {shown && 'density' in shown && (
        <PruneSlider
          key={shown.way}
          label="Zeros"
          density={shown.density}
          onChange={(next) => ask({ ...shown, density: next })}
          onMove={(next) => onPreview(next === null ? null : { ...shown, density: next })}
        />
      )}
      {shown?.way === 'n-of-m' && (
        <>
          <SelectField
            label="Pattern"
            value={`${shown.kept}:${shown.group}`}
            options={patternsWith(shown.kept, shown.group).map(([kept, group]) => ({
              value: `${kept}:${group}`,
              label: `${kept}:${group}`,
            }))}
            onChange={(pattern) => {
              const [kept, group] = pattern.split(':').map(Number);
              ask({ way: 'n-of-m', kept, group });
            }}
          />
          {shown.group > 1 && (
            <LiveSlider
              key={shown.group}
              label={`Kept of ${shown.group}`}
              value={shown.kept}
              min={1}
              max={shown.group}
              step={1}
              format={(kept) => `${kept}:${shown.group}`}
              describe={(kept) => `${kept} of every ${shown.group} neighbours`}
              onChange={(kept) => ask({ ...shown, kept })}
              onMove={(kept) => onPreview(kept === shown.kept ? null : { ...shown, kept })}
            />
          )}
        </>
      )}
      {previewing && (
        <p className="field-hint" role="status">
          {busy
            ? 'The window shows this pruning; the figures follow.'
            : 'The window shows this pruning; the figures follow when you let go of the slider.'}
        </p>
      )}
    </>
  );
}

function pruningOf(way: Way, density: number): Pruning {
  if (way === 'n-of-m') return { way, kept: 2, group: 4 };
  return way === 'random' ? { way, density, seed: PRUNE_SEED } : { way, density };
}

/** Half of a density, rounded to the slider's steps, and at least one of them. */
function halved(density: number): number {
  return Math.max(0.005, Math.round((density / 2) * 200) / 200);
}

/** The listed patterns, and a link's pattern if it is not among them. */
function patternsWith(kept: number, group: number): readonly (readonly [number, number])[] {
  return PATTERNS.some(([n, m]) => n === kept && m === group) ? PATTERNS : [...PATTERNS, [kept, group]];
}

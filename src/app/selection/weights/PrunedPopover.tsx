import { useEffect, useId, useRef, useState } from 'react';
import type { Pruning } from '../../../engine/matrix/source-types.ts';
import { useApp, useCurrentFormat, useDocument, useSession } from '../../../kit/app-context.ts';
import { SelectField } from '../../../kit/controls/Select.tsx';
import { PageLink } from '../../../kit/browser/AddressLink.tsx';
import { LiveSlider } from '../../../kit/forms/LiveSlider.tsx';
import { densityText } from '../../../kit/words/shares.ts';
import { baseOf } from '../../../state/index.ts';
import { shippedModel } from '../../../theory/models/known-models.ts';
import type { PopoverProps } from '../selection-item.ts';
import { shareOf, previewedPruning } from '../../../kit/forms/use-density.ts';

/** The N:M patterns to choose from; from 4:6 on SlideSparse's patterns, (2K - 2):2K, which it maps to 2:4. */
const PATTERNS: readonly (readonly [kept: number, group: number])[] = [
  [1, 4],
  [2, 4],
  [4, 8],
  [4, 6],
  [6, 8],
  [8, 10],
  [10, 12],
  [14, 16],
];

const PRUNE_SEED = 1;

type PruningMethod = Pruning['way'] | 'none';

/** The methods of pruning, in the order of the list. */
export const METHODS: readonly { readonly method: PruningMethod; readonly label: string; readonly detail: string }[] = [
  { method: 'none', label: 'not pruned', detail: '' },
  { method: 'magnitude', label: 'by magnitude', detail: 'the largest of the whole matrix' },
  { method: 'rows', label: 'by magnitude in every row', detail: '' },
  { method: 'wanda', label: 'by Wanda, in every row', detail: 'largest times activations' },
  { method: 'random', label: 'at random', detail: 'any weights, drawn with seed 1' },
  { method: 'n-of-m', label: 'N of M neighbours', detail: 'the largest of every few, as 2:4' },
];

/** The pruning with which a method begins: the share left as in `before`, else half of `density`; null: none. */
export function pruningOf(method: PruningMethod, before: Pruning | null, density: number): Pruning | null {
  if (method === 'none') return null;
  if (method === 'n-of-m') return { way: method, kept: 2, group: 4 };
  const firstDensity = before ? shareOf(before) : halved(density);
  const pruning = { way: method, density: firstDensity };
  return method === 'random' ? { ...pruning, way: method, seed: PRUNE_SEED } : { ...pruning, way: method };
}

/** Half of a density, rounded to the steps of the slider; at least one step. */
function halved(density: number): number {
  return Math.max(0.005, Math.round((density / 2) * 200) / 200);
}

/** The popover of the word 'pruned to' in the selection bar: how the matrix is pruned, and a slider for the density. */
export function PrunedPopover({ isNarrow }: PopoverProps) {
  const { catalog, session } = useApp();
  const { group } = useCurrentFormat();
  const source = useDocument((doc) => doc.source);
  const density = useSession((s) => s.summary?.density ?? null);
  const isBusy = useSession((s) => s.opening !== null);
  const base = baseOf(source);
  const hasActivations =
    base.kind === 'model'
      ? shippedModel(base.model) !== null
      : base.kind === 'example' && catalog.examples.some((e) => e.id === base.id && e.inputs !== undefined);
  const pruning = source.kind === 'pruned' ? source.pruning : null;
  const [requestedPruning, setRequestedPruning] = useState(pruning);
  const visiblePruning = isBusy ? requestedPruning : pruning; // while the matrix is pruned, what was requested
  const name = useId();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isNarrow) box.current?.querySelector<HTMLElement>(':checked')?.focus({ preventScroll: true });
  }, [isNarrow]);

  const preview = (next: Pruning | null): void => {
    previewedPruning.setState(next, true);
    session.previewPruning(next);
  };
  useEffect(() => () => previewedPruning.setState(null, true), []);
  const prune = (next: Pruning | null): void => {
    setRequestedPruning(next);
    previewedPruning.setState(null, true);
    void session.prune(next);
  };

  if (density === null) return <p className="py-3 px-4 text-muted">No matrix is open.</p>;
  if (density === 0) return <p className="py-3 px-4 text-muted">Every cell is zero.</p>;
  return (
    <div
      ref={box}
      className="grid gap-4 w-[min(28rem,calc(100vw-2rem))] px-5 py-4 in-data-list:w-auto in-data-list:px-4"
    >
      <fieldset>
        <legend className="mb-1 font-semibold">Pruning</legend>
        {METHODS.map(({ method, label, detail }) => (
          <label
            key={method}
            className="group flex items-baseline gap-2 rounded-md min-h-7 -mx-2 px-2 py-1 has-disabled:text-muted has-enabled:cursor-pointer has-checked:bg-track has-enabled:hover:bg-sunken"
          >
            <input
              className="accent-(--strong)"
              type="radio"
              name={name}
              checked={method === (visiblePruning?.way ?? 'none')}
              disabled={method === 'wanda' && !hasActivations}
              onChange={() => prune(pruningOf(method, visiblePruning, density))}
            />
            <span>
              <b className="font-medium">{label}</b>{' '}
              <span className="text-muted text-12 group-has-checked:text-ink">
                {method === 'wanda' && !hasActivations ? 'needs activations' : detail}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {visiblePruning && 'density' in visiblePruning && (
        <LiveSlider
          key={visiblePruning.way}
          label="Left"
          value={visiblePruning.density}
          min={0.005}
          max={1}
          step={0.005}
          format={densityText}
          describe={(share) => `${densityText(share)} of the cells remain`}
          onMove={(share) => preview(share === visiblePruning.density ? null : { ...visiblePruning, density: share })}
          onChange={(share) => prune({ ...visiblePruning, density: share })}
        />
      )}
      {visiblePruning?.way === 'n-of-m' && <Pattern pruning={visiblePruning} onPreview={preview} onChange={prune} />}
      <p className="text-muted text-12">
        {pruning === null
          ? `It comes with ${densityText(density)} left.`
          : 'Changing the method starts again from all weights.'}
      </p>
      {group === 'activations' && (
        <PageLink className="text-button" link="originOfZeros" target={[]}>
          Where zeros come from
        </PageLink>
      )}
    </div>
  );
}

type NOfM = Extract<Pruning, { readonly way: 'n-of-m' }>;

interface PatternProps {
  readonly pruning: NOfM;
  readonly onPreview: (pruning: Pruning | null) => void;
  readonly onChange: (pruning: Pruning) => void;
}

/** The pattern N of M as a list, and a slider for N. */
function Pattern({ pruning, onPreview, onChange }: PatternProps) {
  const { kept, group } = pruning;
  const isListed = PATTERNS.some(([n, m]) => n === kept && m === group);
  const patterns = isListed ? PATTERNS : [...PATTERNS, [kept, group] as const];
  return (
    <>
      <SelectField
        label="Pattern"
        value={`${kept}:${group}`}
        options={patterns.map(([n, m]) => ({ value: `${n}:${m}`, label: `${n}:${m}` }))}
        onChange={(pattern) => {
          const [n, m] = pattern.split(':').map(Number);
          onChange({ way: 'n-of-m', kept: n, group: m });
        }}
      />
      {group > 1 && (
        <LiveSlider
          key={group}
          label={`Left of ${group}`}
          value={kept}
          min={1}
          max={group}
          step={1}
          format={(n) => `${n}:${group}`}
          describe={(n) => `${n} of every ${group} neighbours`}
          onMove={(n) => onPreview(n === kept ? null : { ...pruning, kept: n })}
          onChange={(n) => onChange({ ...pruning, kept: n })}
        />
      )}
    </>
  );
}

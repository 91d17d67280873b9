// The menu for the pruning of an imported model.

import type { Pruning } from '../../../../src/engine/matrix/source-types.ts';
import { Select } from '../../../../src/kit/controls/Select.tsx';
import { CRITERION_WORDS } from '../../overrides/matrix-overrides.ts';
import { densityOf, type LanguageModelChoice } from '../model-choice.ts';
import { usePrune } from '../use-change-model.ts';

/** The density for the next method if the model is unpruned or N:M. */
const DEFAULT_DENSITY = 0.6;

const METHODS: readonly { readonly value: string; readonly label: string; make(density: number): Pruning | null }[] = [
  { value: 'none', label: 'not at all', make: () => null },
  { value: 'magnitude', label: CRITERION_WORDS.magnitude, make: (density) => ({ way: 'magnitude', density }) },
  { value: 'rows', label: CRITERION_WORDS.rows, make: (density) => ({ way: 'rows', density }) },
  { value: 'wanda', label: CRITERION_WORDS.wanda, make: (density) => ({ way: 'wanda', density }) },
  { value: 'random', label: CRITERION_WORDS.random, make: (density) => ({ way: 'random', density, seed: 1 }) },
  { value: '2:4', label: '2 of every 4', make: () => ({ way: 'n-of-m', kept: 2, group: 4 }) },
];

/** A menu for the pruning of an imported model. */
export function UserPruning({ modelChoice }: { readonly modelChoice: LanguageModelChoice }) {
  const { pruning } = modelChoice;
  const prune = usePrune(modelChoice);
  const density = densityOf(pruning);
  const current =
    pruning === null ? 'none' : pruning.way === 'n-of-m' ? `${pruning.kept}:${pruning.group}` : pruning.way;
  const methods = METHODS.some(({ value }) => value === current)
    ? METHODS
    : [...METHODS, { value: current, label: current, make: () => pruning }];
  return (
    <div className="py-2">
      <label className="flex items-center gap-2 text-13">
        Pruned{' '}
        <Select
          value={current}
          options={methods}
          onChange={(next) => {
            const method = methods.find(({ value }) => value === next);
            if (method) prune(method.make(density >= 1 || pruning?.way === 'n-of-m' ? DEFAULT_DENSITY : density));
          }}
        />
      </label>
    </div>
  );
}

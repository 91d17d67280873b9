import { addressesTarget } from './addresses/index.ts';
import { formatsTarget } from './formats/index.ts';
import { messagesTarget } from './messages/index.ts';
import { modelsTarget } from './models/index.ts';
import { questionSetsTarget } from './sets/index.ts';
import { readersTarget } from './readers/index.ts';
import { recordsTarget } from './records/index.ts';
import { reportsTarget } from './reports/index.ts';
import type { Target } from './target.ts';

export interface TargetOptions {
  readonly againstScipy: boolean;
}

/** `targets` of labs/X/fuzz/targets.ts: what the lab X wants attacked. */
const targetsOfLabs = Object.values(
  import.meta.glob<readonly Target[]>('../labs/*/fuzz/targets.ts', { eager: true, import: 'targets' }),
).flat();

/** Everything that is attacked. */
export function allTargets({ againstScipy }: TargetOptions): readonly Target[] {
  return [
    formatsTarget,
    readersTarget(againstScipy),
    addressesTarget,
    reportsTarget,
    recordsTarget,
    questionSetsTarget,
    modelsTarget,
    messagesTarget,
    ...targetsOfLabs,
  ];
}

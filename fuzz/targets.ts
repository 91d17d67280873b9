// The list of all fuzz targets.

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

/** The `targets` that labs export from labs/X/fuzz/targets.ts. */
const targetsOfLabs = Object.values(
  import.meta.glob<readonly Target[]>('../labs/*/fuzz/targets.ts', { eager: true, import: 'targets' }),
).flat();

/** All targets, including those of labs. */
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

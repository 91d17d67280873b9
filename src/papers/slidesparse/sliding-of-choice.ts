import { type Sliding, slidingOf } from '../../theory/sliding-windows.ts';
import type { Choice } from './windows-form.ts';

/** The windows of a choice, or the sentence that says why there are none. */
export function slidingOfChoice({ kept, group, hardwareKept, window }: Choice): Sliding | string {
  return slidingOf({ kept, group }, { kept: hardwareKept, window });
}

import type { Words } from '../../../core/story/scene.ts';
import { say, strong } from '../../../core/story/words.ts';
import { time } from '../../../kit/words/quantity.ts';

export interface SpeedFacts {
  /** of this model's token, in nanoseconds: reading its weights, and launching its kernels; null: unknown device */
  readonly small: { readonly bytesNs: number; readonly launchNs: number } | null;
  readonly large: LargeFacts;
}

/** What is known of a large model on a device. */
interface LargeFacts {
  readonly model: string;
  readonly device: string;
  /** null: dense alone */
  readonly format: string | null;
  readonly density: number;
  /** its matrices, each alone, in milliseconds; null: not measured */
  readonly denseMs: number | null;
  readonly storedMs: number | null;
  /** whole tokens, in milliseconds; null: not measured */
  readonly wholeDenseMs: number | null;
  readonly wholeStoredMs: number | null;
  /** what reading the bytes of its matrices takes at least, in milliseconds; null: the device reads at an unknown speed */
  readonly minDenseMs: number | null;
  readonly minStoredMs: number | null;
  /** the fastest whole token of PyTorch, and the card where it ran */
  readonly pytorch: { readonly ms: number; readonly card: string } | null;
}

/** Why no format makes this model faster, and what one does where bytes decide. */
export function speedHeadline({ small, large }: SpeedFacts): readonly Words[] | null {
  const isLaunches = small !== null && small.bytesNs < 0.1 * small.launchNs;
  const first = small === null ? [] : ofSmall(small.bytesNs, small.launchNs, isLaunches);
  const second = ofLarge(large, isLaunches);
  return first.length + second.length === 0 ? null : [...first, ...second];
}

function ofSmall(bytesNs: number, launchNs: number, isLaunches: boolean): readonly Words[] {
  const figures = strong(`${time(bytesNs)} of bytes and ${time(launchNs)} of launches`);
  // Whatever a format saves is less than a tenth of a token.
  return isLaunches
    ? say`A token of this model is ${figures}: no format can make it faster. `
    : say`A token of this model is ${figures}. `;
}

/** As much as is known: matrices, whole tokens, or what bytes allow. */
function ofLarge(facts: LargeFacts, isReverse: boolean): readonly Words[] {
  const { model, device, format, density, denseMs, storedMs, wholeDenseMs, wholeStoredMs, pytorch } = facts;
  const inBoth = (dense: number, stored: number): Words =>
    strong(`${dense.toFixed(1)}\u202fms dense and ${stored.toFixed(1)} in ${format}`);
  const theirs = pytorch && `PyTorch’s on an ${pytorch.card} takes ${pytorch.ms.toFixed(1)}`;
  if (denseMs !== null) {
    const turn = isReverse ? `At ${model}’s shapes it is the reverse: the matrices` : `${model}’s matrices`;
    const alone = strong(`${denseMs.toFixed(1)}\u202fms dense`);
    const stored =
      format === null
        ? say`${turn} take ${alone}`
        : storedMs === null
          ? say`${turn} take ${alone}; ${format} at ${density} was not measured`
          : say`${turn} take ${inBoth(denseMs, storedMs)} at ${density}`;
    if (wholeDenseMs === null) {
      const token = pytorch && `; PyTorch’s token on an ${pytorch.card}, all in all, takes ${pytorch.ms.toFixed(1)}`;
      return [...stored, ...say`${token ?? ''}.`];
    }
    const whole =
      format === null || storedMs === null || wholeStoredMs === null
        ? `, a whole token ${wholeDenseMs.toFixed(1)}${format === null ? '' : ' dense'}`
        : `, a whole token ${wholeDenseMs.toFixed(1)} and ${wholeStoredMs.toFixed(1)}`;
    return [...stored, ...say`${whole}${theirs === null ? '' : `; ${theirs}`}.`];
  }
  if (wholeDenseMs !== null) {
    const end = theirs === null ? '.' : `; ${theirs}.`;
    return format === null || wholeStoredMs === null
      ? say`A whole token of ${model} takes ${strong(`${wholeDenseMs.toFixed(1)}\u202fms dense`)}${end}`
      : say`A whole token of ${model} takes ${inBoth(wholeDenseMs, wholeStoredMs)} at ${density}${end}`;
  }
  const { minDenseMs, minStoredMs } = facts;
  if (minDenseMs === null) return [];
  return format === null || minStoredMs === null
    ? say`${model} was not measured on ${device}: its bytes take at least ${strong(`${minDenseMs.toFixed(1)}\u202fms dense`)}.`
    : say`${model} was not measured on ${device}: its bytes take at least ${inBoth(minDenseMs, minStoredMs)} at ${density}.`;
}

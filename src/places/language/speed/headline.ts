import type { Words } from '../../../core/story/scene.ts';
import { say, strong } from '../../../core/story/words.ts';
import { time } from '../../../kit/words/quantity.ts';

export interface SpeedFacts {
  /** of this model's token, in nanoseconds: reading its weights, and launching its kernels; null: unknown device */
  readonly small: { readonly bytesNs: number; readonly launchNs: number } | null;
  readonly large: {
    readonly model: string;
    /** in milliseconds */
    readonly denseMs: number | null;
    readonly storedMs: number | null;
    /** null: dense alone */
    readonly format: string | null;
    readonly density: number;
    /** whole tokens, in milliseconds; null: not measured */
    readonly wholeDenseMs: number | null;
    readonly wholeStoredMs: number | null;
    /** the fastest whole token of PyTorch, and the card where it ran */
    readonly pytorch: { readonly ms: number; readonly card: string } | null;
  };
}

/** Why no format makes this model faster, and what one does where bytes decide. */
export function speedHeadline({ small, large }: SpeedFacts): readonly Words[] | null {
  if (small === null) return null;
  const { bytesNs, launchNs } = small;
  const figures = strong(`${time(bytesNs)} of bytes and ${time(launchNs)} of launches`);
  // Whatever a format saves is less than this share of a token.
  const first =
    bytesNs < 0.1 * launchNs
      ? say`A token of this model is ${figures}: no format can make it faster. `
      : say`A token of this model is ${figures}. `;
  const { model, denseMs, storedMs, format, density, wholeDenseMs, wholeStoredMs, pytorch } = large;
  if (denseMs === null) return first;
  const turn =
    bytesNs < 0.1 * launchNs ? `At ${model}’s shapes it is the reverse: the matrices` : `${model}’s matrices`;
  const stored =
    format === null
      ? say`${turn} take ${strong(`${denseMs.toFixed(1)} ms dense`)}`
      : storedMs === null
        ? say`${turn} take ${strong(`${denseMs.toFixed(1)} ms dense`)}; ${format} at ${density} was not measured`
        : say`${turn} take ${strong(`${denseMs.toFixed(1)} ms dense and ${storedMs.toFixed(1)} in ${format}`)} at ${density}`;
  const own =
    wholeDenseMs === null
      ? ''
      : format === null || storedMs === null || wholeStoredMs === null
        ? `, a whole token ${wholeDenseMs.toFixed(1)}${format === null ? '' : ' dense'}`
        : `, a whole token ${wholeDenseMs.toFixed(1)} and ${wholeStoredMs.toFixed(1)}`;
  const whole =
    pytorch === null
      ? '.'
      : own !== ''
        ? `; PyTorch’s on an ${pytorch.card} takes ${pytorch.ms.toFixed(1)}.`
        : `; PyTorch’s token on an ${pytorch.card}, all in all, takes ${pytorch.ms.toFixed(1)}.`;
  return [...first, ...stored, ...say`${own}${whole}`];
}

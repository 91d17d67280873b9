import { leftText } from '../../../kit/words/shares.ts';
import type { Own } from '../use-own.ts';

interface MixedNoteProps {
  readonly own: Own;
  /** of the model */
  readonly matrices: number;
  /** whether figures over many tales are known of these choices */
  readonly isMeasured: boolean;
}

/** That some matrices have choices of their own, and the way back. */
export function MixedNote({ own, matrices, isMeasured }: MixedNoteProps) {
  const count = own.choices.length;
  const which =
    count === matrices
      ? `All ${matrices} matrices have`
      : `${count} of ${matrices} matrices ${count === 1 ? 'has' : 'have'}`;
  return (
    <p className="text-note">
      {which} choices of their own{own.words === 'mixed' ? '' : `: ${own.words}`}. Of all weights{' '}
      {own.density >= 1 ? 'all' : leftText(Math.round(100 * own.density) / 100)} are left.
      {!isMeasured && ' Over many tales these choices are not measured.'}{' '}
      <button type="button" className="text-button" onClick={() => own.replace([])}>
        as the sentence says
      </button>
    </p>
  );
}

import type { Admission } from '../../../core/format.ts';
import { asSentence } from '../../../state/index.ts';
import { Icon } from '../../../kit/controls/Icon.tsx';

type Refused = Admission & { readonly ok: false };

export interface RefusalProps {
  readonly refusal: Refused;
  /** Does what the refusal asks for: keeps `kept` of every group of columns. */
  readonly onPrune: (pattern: NonNullable<Refused['prune']>) => void;
}

/** Why a format cannot hold the matrix, and what to do about it, such as pruning to a pattern. */
export function Refusal({ refusal, onPrune }: RefusalProps) {
  const { reason, remedy, prune } = refusal;
  return (
    <div className="verdict verdict--bad">
      <Icon name="warning" />
      <div>
        <p>{asSentence(reason)}</p>
        {prune ? (
          <button type="button" className="button" onClick={() => onPrune(prune)}>
            Prune the matrix to {prune.kept}:{prune.group}
          </button>
        ) : (
          remedy !== null && <p className="quiet">{remedy}</p>
        )}
      </div>
    </div>
  );
}

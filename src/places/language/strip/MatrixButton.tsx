import type { MouseEvent } from 'react';
import { countText } from '../../../core/story/words.ts';
import { cssColorOf } from '../../../kit/format-color.ts';
import type { MatrixAt } from '../../../kit/models/matrix-overrides.ts';

interface MatrixButtonProps {
  readonly at: MatrixAt;
  /** bytes in f16: its own, and of the largest of a block */
  readonly whole: number;
  readonly widest: number;
  /** null while nothing is known */
  readonly bytes: number | null;
  /** the one of the sentence */
  readonly isChosen: boolean;
  readonly isSelected: boolean;
  /** the one that Tab comes to */
  readonly isFirst: boolean;
  /** id of the format that it is stored in */
  readonly format: string;
  /** what it has of its own, in words; null: nothing */
  readonly own: string | null;
  readonly onPress: (at: MatrixAt, event: MouseEvent) => void;
  readonly onOpen: (at: MatrixAt) => void;
}

/** One matrix, as wide as its bytes in f16 and filled as far as it is stored. */
export function MatrixButton(props: MatrixButtonProps) {
  const { at, whole, widest, bytes, isChosen, isSelected, isFirst, format, own, onPress, onOpen } = props;
  const { layer, name } = at;
  const share = bytes === null ? 0 : bytes / whole;
  const stored = bytes === null ? 'not counted' : `${countText(bytes)} of ${countText(whole)} bytes`;
  const about = own === null ? stored : `${stored}; ${own}`;
  return (
    <button
      type="button"
      role="option"
      className="strip-matrix"
      aria-selected={isSelected}
      aria-current={isChosen || undefined}
      aria-label={`layer ${layer}, ${name}, ${about}`}
      title={`layer ${layer} › ${name}: ${about}`}
      data-matrix={`${layer} ${name}`}
      data-over={share > 1 || undefined}
      data-counted={bytes !== null || undefined}
      data-chosen={isChosen || undefined}
      data-own={own !== null || undefined}
      tabIndex={isFirst ? 0 : -1}
      style={{ inlineSize: `${(100 * whole) / widest}%` }}
      onClick={(event) => onPress(at, event)}
      onDoubleClick={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) onOpen(at);
      }}
    >
      <i aria-hidden="true" style={{ inlineSize: `${100 * Math.min(1, share)}%`, background: cssColorOf(format) }} />
      {whole > widest / 8 && <span className="strip-name">{name}</span>}
      {isChosen && whole > widest / 2 && <span className="strip-open">open</span>}
    </button>
  );
}

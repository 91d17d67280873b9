import type { CompareRow, Role } from './compare-row.ts';

const ORDER: readonly Role[] = ['kept', 'values', 'indices', 'metadata', 'padding'];

/** A vertical line through all bars. */
export interface BarMark {
  readonly bytes: number;
  readonly text: string;
}

interface RowBarProps {
  readonly row: CompareRow;
  /** bytes at the right edge */
  readonly max: number;
  readonly marks: readonly BarMark[];
}

/** A row's bytes by purpose, on the scale that all rows share; dashed where they are those of a remedy. */
export function RowBar({ row, max, marks }: RowBarProps) {
  const { bytes, parts, state } = row;
  const widthOf = (count: number): string => `${Math.min(100, (100 * count) / max)}%`;
  return (
    <div className="row-bar" aria-hidden="true">
      {marks.map((mark) => (
        <i key={mark.text} style={{ '--at': mark.bytes / max }} />
      ))}
      {state === 'refused' && <span className="row-bar-dashed" style={{ width: widthOf(bytes ?? max * 0.85) }} />}
      {state === 'known' &&
        bytes !== null &&
        (parts === null || parts.length === 1 ? (
          <span className="row-bar-sum" style={{ width: widthOf(bytes) }} />
        ) : (
          ORDER.map((role) => {
            const part = parts.find((one) => one.role === role);
            return part && part.bytes > 0 ? (
              <span key={role} className={`row-bar-${role}`} style={{ width: widthOf(part.bytes) }} />
            ) : null;
          })
        ))}
    </div>
  );
}

import { BYTE_CLASSES, type ByteClass } from '../../../core/encoded/ledger.ts';

export interface LedgerBarProps {
  readonly classBits: Readonly<Record<ByteClass, number>>;
  /** bytes at the right end */
  readonly most: number;
}

/** The bytes of an encoding by what they are for, on the scale of all rows. */
export function LedgerBar({ classBits, most }: LedgerBarProps) {
  return (
    <div className="compare-bar" aria-hidden="true">
      {BYTE_CLASSES.map((byteClass) => (
        <span
          key={byteClass}
          className={`compare-bar-${byteClass}`}
          style={{ width: `${Math.min(100, (100 * classBits[byteClass]) / 8 / most)}%` }}
        />
      ))}
    </div>
  );
}

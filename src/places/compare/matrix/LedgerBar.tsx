import { BYTE_CLASSES, type ByteClass } from '../../../core/encoded/ledger.ts';

export interface LedgerBarProps {
  readonly classBits: Readonly<Record<ByteClass, number>>;
  /** bytes at the right edge */
  readonly most: number;
}

/** An encoding's bytes by class, on the scale shared by all rows. */
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

import { referenceFormat } from '../../../formats/catalog.ts';
import { SPENSE_MIN_DENSITY, sparseColumns, spenseShare } from '../../../theory/spense.ts';
import type { Series } from '../../../kit/charts/series.ts';
import { percent } from '../../../kit/words/quantity.ts';
import { type ComparedFormats, type CompareRow, UNKNOWN_ROW } from './compare-row.ts';

/** Where Spense is published. */
export const SPENSE_SOURCE = 'https://arxiv.org/abs/2606.10445';

/** The line of Spense in the chart of sizes: its closed form in f16, which is linear in the density. */
export const SPENSE_LINE: Series = {
  id: 'spense',
  kind: 'predicted',
  title: 'Spense',
  color: 'var(--text-quiet)',
  join: 'straight',
  points: [SPENSE_MIN_DENSITY, 1].map((density) => ({ x: density, y: spenseShare(density, 16) })),
};

/** A row for Spense, which is no format of this project: bytes by its closed form alone. */
export interface SpenseRow {
  /** the row of dense f16 with the bytes of Spense: columns that need no format can draw it */
  readonly row: CompareRow;
  /** 'f16' */
  readonly detail: string;
  /** what it stores, and what is not known */
  readonly why: string;
}

/** The row at the density that is compared; null where Spense stores no weights: below 50 %, or with nothing pruned. */
export function spenseRow({
  rows,
  f16Bytes,
  density,
}: Pick<ComparedFormats, 'rows' | 'f16Bytes' | 'density'>): SpenseRow | null {
  const dense = rows.find(
    ({ format, stored }) => format.id === referenceFormat.id && stored.params.valueType === 'f16',
  );
  if (!dense || !(density >= SPENSE_MIN_DENSITY && density < 1)) return null;
  // What stays dense in every format.
  const kept = dense.parts?.find(({ role }) => role === 'kept')?.bytes ?? 0;
  const columns = percent(sparseColumns(density), 0);
  const bytes = kept + (f16Bytes - kept) * spenseShare(density, 16);
  const row = { ...dense, ...UNKNOWN_ROW, key: 'spense', state: 'known', bytes, isExpected: true } as const;
  return {
    row: { ...row, needs: `2:4 in ${columns}`, parts: null },
    detail: 'f16',
    why: `2:4 in ${columns} of the columns, all weights in the others. By closed form: there is no encoder and no kernel here.`,
  };
}

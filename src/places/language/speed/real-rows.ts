import { referenceFormat } from '../../../formats/catalog.ts';
import { gigabytes } from '../../../kit/words/weights.ts';
import { wholeAt, type WholeTokens } from '../../../theory/models/whole-tokens.ts';
import { matricesMs, type RealRow } from './RealBars.tsx';
import type { MatricesAt } from './shapes.ts';
import type { Large } from './use-large.ts';

/** Rows beyond this are cut: no way but the fastest of others has to fit. */
export function endOf(rows: readonly RealRow[]): number {
  const [ours, theirs] = [rows.filter(({ format }) => format !== null), rows.filter(({ format }) => format === null)];
  const max = ours.reduce((all, row) => Math.max(all, matricesMs(row), row.wholeMs ?? 0), 0);
  const min = theirs.reduce((all, { wholeMs: ms }) => Math.min(all, ms ?? all), Number.POSITIVE_INFINITY);
  return 1.05 * Math.max(max, Number.isFinite(min) ? min : 0, 1);
}

/** The parts of a token's matrices, by what they are. */
function partsOf(at: MatricesAt, nsOf: 'denseNs' | 'storedNs'): RealRow['parts'] {
  return at.shapes.flatMap(({ group, ...shape }) => {
    const ns = shape[nsOf];
    return ns === null
      ? []
      : [{ name: group.parts.map(({ names }) => names.join(' ')).join(' '), ms: (ns * group.count) / 1e6 }];
  });
}

interface RowFacts extends Pick<
  Large,
  'pytorch' | 'at' | 'measured' | 'left' | 'isDense' | 'format' | 'readGBps' | 'whole'
> {
  /** of all matrices, dense */
  readonly denseNs: number | null;
}

/** PyTorch's ways, then dense, then the format by falling density: those that were measured, and the one asked for. */
export function realRows(facts: RowFacts): readonly RealRow[] {
  const { pytorch, at, measured, left, isDense, format, readGBps, denseNs, whole } = facts;
  const limitOf = (bytes: number): number | null => (readGBps === null ? null : bytes / readGBps / 1e6);
  const theirs = (pytorch?.ways ?? []).map(({ title, tokensPerSecond }): RealRow => ({
    title,
    note: '',
    format: null,
    parts: [],
    wholeMs: 1000 / tokensPerSecond,
    limitMs: null,
  }));
  const denseFrom = at === null || at.denseNs === null ? (measured[0] ?? at) : at;
  const dense: readonly RealRow[] =
    denseFrom === null
      ? []
      : [
          {
            title: referenceFormat.title,
            note: gigabytes(denseFrom.denseBytes),
            format: referenceFormat.id,
            parts: denseNs === null ? [] : partsOf(denseFrom, 'denseNs'),
            wholeMs: wholeMs(whole.dense, 1),
            limitMs: limitOf(denseFrom.denseBytes),
          },
        ];
  if (isDense) return [...theirs, ...dense];
  const isListed = measured.some((one) => isNear(one.density, left));
  const ways = [
    ...measured.filter((one) => SHOWN.some((density) => isNear(density, one.density)) || isNear(one.density, left)),
    ...(isListed || at === null ? [] : [at]),
  ];
  return [
    ...theirs,
    ...dense,
    ...ways
      .toSorted((a, b) => b.density - a.density)
      .map((one): RealRow => ({
        title: `${format.title} ${one.density}`,
        note: gigabytes(one.storedBytes),
        format: format.id,
        parts: one.storedNs === null ? [] : partsOf(one, 'storedNs'),
        wholeMs: wholeMs(whole.stored, one.density),
        limitMs: limitOf(one.storedBytes),
      })),
  ];
}

/** Milliseconds of a whole token; null where none was measured. */
function wholeMs(all: readonly WholeTokens[], density: number): number | null {
  const found = wholeAt(all, density);
  return found && 1000 / found.tokensPerSecond;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.004;
}

/** Densities that always have a row. */
const SHOWN = [0.5, 0.3, 0.1];

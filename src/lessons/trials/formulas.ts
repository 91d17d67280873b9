import { defaultParams, distinctOptions, type ParamField } from '../../core/format.ts';
import type { Random } from '../../core/number/random.ts';
import type { Question } from '../../core/story/question.ts';
import { countText, say, strong } from '../../core/story/words.ts';
import type { Catalog, ParamValue } from '../../state/index.ts';
import { crossings } from '../../theory/crossings.ts';
import { expectedBytes, type SizedFormat, valueBits } from '../../theory/expected-bytes.ts';
import { LessonError } from '../lesson.ts';
import { barAt, barsPanel, LEFT, ONE_STEP, shortNumber, slip, trial, type TrialTrace } from './trial.ts';

/** A format with its parameters: 'MACKO (delta bits 4, f16)'. */
interface StoredWay extends SizedFormat {
  readonly format: Catalog['formats'][number];
  readonly name: string;
}

interface Formulas {
  readonly ways: readonly [StoredWay, StoredWay];
  readonly columns: number;
  /** in percent */
  readonly left: number;
  /** the % left at which a row takes equal bytes in both */
  readonly even: number;
}

type FormulaTrace = TrialTrace<'even', Formulas>;

/** Relative tolerance of every answer. */
const TOLERANCE = 0.03;
const WITHIN = `Within ${100 * TOLERANCE} % of that is right.`;
/** Rows of the matrix: enough that the one extra row start does not matter. */
const ROWS = 4096;
/** Shares at which two closed forms are compared for a crossing. */
const GRID = Array.from({ length: 97 }, (_, i) => (i + 2) / 100);
/** Pairs that are drawn at most until two cross exactly once. */
const TRIES = 100;

/** Expected bytes of a row, including its part of the size that does not depend on the share. */
function rowBytes(way: StoredWay, left: number, cols: number, rows = ROWS): number {
  return (expectedBytes(way, left / 100, { rows, cols }) ?? Number.NaN) / rows;
}

/** A format with all parameters for which a row can be computed by hand: the row never depends on other rows. */
function waysOf(format: StoredWay['format']): readonly StoredWay[] {
  if (format.admissionOdds) return [];
  let ways: readonly Omit<StoredWay, 'format'>[] = [{ params: defaultParams(format.params), name: '' }];
  for (const [key, field] of Object.entries<ParamField<ParamValue>>(format.params)) {
    if (field.kind !== 'choice') continue;
    ways = ways.flatMap(({ params, name }) =>
      distinctOptions(field).map(({ value }) => ({
        params: { ...params, [key]: value },
        name: `${name === '' ? '' : `${name}, `}${key === 'valueType' ? '' : `${field.label} `}${value}`,
      })),
    );
  }
  return ways
    .map(({ params, name }) => ({ format, params, name: `${format.title} (${name})` }))
    .filter((way) => Math.abs(rowBytes(way, 30, ROWS, 64) / rowBytes(way, 30, ROWS) - 1) < TOLERANCE / 2)
    .filter(({ params }) => valueBits(params) <= 16);
}

const firstBytes = ({ ways, left, columns }: Formulas): number => Math.round(rowBytes(ways[0], left, columns));

/** The reason for the bytes of a way, in the format's words. */
function reasonOf({ format, params, name }: StoredWay, left: number, cols: number): string {
  return `${name}: ${format.expectedReason?.(left / 100, params, { rows: ROWS, cols }).text ?? ''}.`;
}

const evenShare: Question<FormulaTrace, Formulas> = {
  id: 'even-share',
  unit: '% left',
  tolerance: TOLERANCE,
  subject: ({ encoded }) => encoded,
  ask: ({ ways: [a, b], columns }) =>
    say`Rows have ${countText(columns)} columns, and weights lie at random. At which ${strong('% left')} does ${a.name} take as many bytes as ${b.name}? ${WITHIN}`,
  answer: ({ even }) => even,
  because: ({ ways: [a, b], columns, even }) =>
    say`At ${strong(`${shortNumber(even)} % left`)} a row takes ${countText(rowBytes(a, even, columns))} bytes in both. ${reasonOf(a, even, columns)} ${reasonOf(b, even, columns)}`,
  span: () => ONE_STEP,
  misconceptions: [
    slip('zeros-for-weights', ({ even }) => 100 - even),
    slip('upside-down', ({ even }) => 10_000 / even),
  ],
};

const bytesOfRow: Question<FormulaTrace, Formulas> = {
  id: 'bytes-of-row',
  unit: 'bytes',
  tolerance: TOLERANCE,
  subject: ({ encoded }) => encoded,
  ask: ({ ways: [{ name }], columns, left }) =>
    say`A row has ${countText(columns)} columns, and ${strong(`${left} %`)} of them hold a weight, at random. How many bytes does it take in ${name}? ${WITHIN}`,
  answer: firstBytes,
  because: (e) =>
    say`It takes ${strong(`${countText(firstBytes(e))} bytes`)}. ${reasonOf(e.ways[0], e.left, e.columns)}`,
  span: () => ONE_STEP,
  misconceptions: [
    slip('values-alone', ({ ways, columns, left }) => (left * columns * valueBits(ways[0].params)) / 800),
    slip('bits-of-row', (e) => 8 * firstBytes(e)),
  ],
};

/** Two formats by their closed forms: the bytes of a row, and the share at which they are equal. */
export function formulas(formats: Catalog['formats']) {
  const all = formats.flatMap(waysOf);
  const known = new Map(all.map(({ format: { id, title } }) => [id, title]));
  const options = [['any', 'any'], ...known].map(([value, label]) => ({ value, label }));
  const format = { kind: 'choice', meaning: 'Its parameters follow from the seed.', default: 'any', options } as const;
  const draw = (wanted: string, random: Random): StoredWay => {
    const ways = wanted === 'any' ? all : all.filter((way) => way.format.id === wanted);
    return ways[random.below(ways.length)];
  };
  return trial<'even', Formulas, { readonly first: string; readonly second: string; readonly left: number }>({
    id: 'formulas',
    title: 'Formulas',
    params: { first: { ...format, label: 'format' }, second: { ...format, label: 'beside' }, left: LEFT },
    run(_window, random, builder, given) {
      builder.chapter('formulas', 'Formulas');
      builder.step('even');
      const columns = 1024 * (2 + random.below(7));
      for (let tried = 0; tried < TRIES; tried++) {
        const ways = [draw(given.first, random), draw(given.second, random)] as const;
        const [a, b] = ways.map((way) => (share: number) => rowBytes(way, 100 * share, columns));
        const found = crossings(a, b, GRID);
        if (found.length === 1) return { ways, columns, left: given.left, even: 100 * found[0] };
      }
      throw new LessonError('formulas: found no share at which these two are even, expected two formats that cross');
    },
    panels: ({ encoded: { ways, columns, left, even } }, detail) =>
      [left, even].slice(0, detail === null ? 1 : 2).map((at) => {
        const title = `${shortNumber(at)} % left`;
        const bytes = ways.map((way) => rowBytes(way, at, columns));
        const bars = ways.map(({ name }, i) => barAt(0, 1, name, bytes[i], `${countText(bytes[i])} B`));
        return barsPanel({ id: title, title, caption: `a row of ${countText(columns)} columns`, bars });
      }),
    narrate: (
      {
        encoded: {
          ways: [a, b],
          even,
          columns,
        },
      },
      detail,
    ) =>
      detail === null
        ? say`${a.name} beside ${b.name}, by their closed forms.`
        : say`At ${strong(`${shortNumber(even)} % left`)} both take ${countText(rowBytes(a, even, columns))} bytes a row.`,
    questions: [evenShare, bytesOfRow] as readonly Question[],
  });
}

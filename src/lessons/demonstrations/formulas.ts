// A demonstration for lessons: the bytes of a row in two formats by their closed forms, with questions about them.

import { defaultParams, distinctOptions, type ParamField } from '../../core/format.ts';
import type { Random } from '../../core/number/random.ts';
import type { Question } from '../../story/question.ts';
import { countText, say, strong } from '../../core/text/words.ts';
import type { Catalog, ParamValue } from '../../state/index.ts';
import { crossings } from '../../theory/crossings.ts';
import { expectedBytes, type SizedFormat, valueBits } from '../../theory/expected-bytes.ts';
import { LessonError } from '../lesson.ts';
import { barAt, barsPanel } from './bars.ts';
import { ONE_STEP, mistake, demo, type DemoTrace, shortNumber } from './demonstration.ts';

/** A format with its parameters: 'MACKO (delta bits 4, f16)'. */
interface FormatVariant extends SizedFormat {
  readonly format: Catalog['formats'][number];
  readonly name: string;
}

/**
 * A case of the demonstration: two formats, and the density at which their rows take equal bytes. Texts of lessons name
 * these numbers, as in {even}.
 */
interface Formulas {
  readonly variants: readonly [FormatVariant, FormatVariant];
  readonly columns: number;
  /** density of a row, in % */
  readonly left: number;
  /** the density, in %, at which a row has equal bytes in both */
  readonly even: number;
}

type FormulaTrace = DemoTrace<'even', Formulas>;

/** Relative tolerance of every answer. */
const TOLERANCE = 0.03;
const TOLERANCE_TEXT = `Within ${100 * TOLERANCE} % of that is right.`;
/** Rows of the matrix: enough that the one extra row start does not matter. */
const ROWS = 4096;
/** Densities, 0.02 to 0.98, at which the formulas of two sizes are compared, to find where they cross. */
const GRID = Array.from({ length: 97 }, (_, i) => (i + 2) / 100);
/** Maximum number of random pairs of formats, until the sizes of a pair are equal at exactly one density. */
const TRIES = 100;

/** Expected bytes of a row: the bytes of a matrix divided by its rows. `percent`: the density. */
function rowBytes(variant: FormatVariant, percent: number, cols: number, rows = ROWS): number {
  return (expectedBytes(variant, percent / 100, { rows, cols }) ?? Number.NaN) / rows;
}

/** The variants of a format in which a row's bytes do not depend on other rows, so that a reader can compute them. */
function variantsOf(format: FormatVariant['format']): readonly FormatVariant[] {
  // A format that supports a matrix only with some probability depends on all rows.
  if (format.admissionOdds) return [];
  let variants: readonly Omit<FormatVariant, 'format'>[] = [{ params: defaultParams(format.params), name: '' }];
  for (const [key, field] of Object.entries<ParamField<ParamValue>>(format.params)) {
    if (field.kind !== 'choice') continue;
    variants = variants.flatMap(({ params, name }) =>
      distinctOptions(field).map(({ value }) => ({
        params: { ...params, [key]: value },
        name: `${name === '' ? '' : `${name}, `}${key === 'valueType' ? '' : `${field.label} `}${value}`,
      })),
    );
  }
  return (
    variants
      .map(({ params, name }) => ({ format, params, name: `${format.title} (${name})` }))
      // In a matrix of 64 rows, a row must take as many bytes as in one of 4096.
      .filter((variant) => Math.abs(rowBytes(variant, 30, ROWS, 64) / rowBytes(variant, 30, ROWS) - 1) < TOLERANCE / 2)
      // f32 is left out: weights are stored in at most 16 bits.
      .filter(({ params }) => valueBits(params) <= 16)
  );
}

/** Bytes of a row in the first of the two formats. */
const firstBytes = ({ variants, left, columns }: Formulas): number => Math.round(rowBytes(variants[0], left, columns));

/** The format's explanation of a row's bytes. */
function reasonOf({ format, params, name }: FormatVariant, percent: number, cols: number): string {
  return `${name}: ${format.expectedReason?.(percent / 100, params, { rows: ROWS, cols }).text ?? ''}.`;
}

const evenShare: Question<FormulaTrace, Formulas> = {
  id: 'even-share',
  unit: '% left',
  tolerance: TOLERANCE,
  findCase: ({ encoded }) => encoded,
  ask: ({ variants: [a, b], columns }) =>
    say`Rows have ${countText(columns)} columns, and weights lie at random. At which ${strong('% left')} does ${a.name} take as many bytes as ${b.name}? ${TOLERANCE_TEXT}`,
  answer: ({ even }) => even,
  reason: ({ variants: [a, b], columns, even }) =>
    say`At ${strong(`${shortNumber(even)} % left`)} a row takes ${countText(rowBytes(a, even, columns))} bytes in both. ${reasonOf(a, even, columns)} ${reasonOf(b, even, columns)}`,
  steps: () => ONE_STEP,
  misconceptions: [
    mistake('zeros-for-weights', ({ even }) => 100 - even),
    // The reciprocal of the density, in %.
    mistake('upside-down', ({ even }) => 10_000 / even),
  ],
};

const bytesOfRow: Question<FormulaTrace, Formulas> = {
  id: 'bytes-of-row',
  unit: 'bytes',
  tolerance: TOLERANCE,
  findCase: ({ encoded }) => encoded,
  ask: ({ variants: [{ name }], columns, left }) =>
    say`A row has ${countText(columns)} columns, and ${strong(`${left} %`)} of them hold a weight, at random. How many bytes does it take in ${name}? ${TOLERANCE_TEXT}`,
  answer: firstBytes,
  reason: (e) =>
    say`It takes ${strong(`${countText(firstBytes(e))} bytes`)}. ${reasonOf(e.variants[0], e.left, e.columns)}`,
  steps: () => ONE_STEP,
  misconceptions: [
    // 800: percent and bits to shares and bytes.
    mistake('values-alone', ({ variants, columns, left }) => (left * columns * valueBits(variants[0].params)) / 800),
    mistake('bits-of-row', (e) => 8 * firstBytes(e)),
  ],
};

/** Demonstrates, for a lesson, the bytes of a row in two random formats, and the density at which they are equal. */
export function formulas(formats: Catalog['formats']) {
  const allVariants = formats.flatMap(variantsOf);
  const titles = new Map(allVariants.map(({ format: { id, title } }) => [id, title]));
  const options = [['any', 'any'], ...titles].map(([value, label]) => ({ value, label }));
  const formatParam = {
    kind: 'choice',
    meaning: 'Its parameters follow from the seed.',
    default: 'any',
    options,
  } as const;
  const densityParam = {
    kind: 'integer',
    label: '% left',
    meaning: 'Of a row.',
    default: 30,
    min: 1,
    max: 99,
  } as const;
  /** A random variant of the format with this id, or of any format. */
  const draw = (id: string, random: Random): FormatVariant => {
    const variants = id === 'any' ? allVariants : allVariants.filter((variant) => variant.format.id === id);
    return variants[random.below(variants.length)];
  };
  return demo<'even', Formulas, { readonly first: string; readonly second: string; readonly left: number }>({
    id: 'formulas',
    title: 'Formulas',
    params: {
      first: { ...formatParam, label: 'format' },
      second: { ...formatParam, label: 'compared with' },
      left: densityParam,
    },
    run(_window, random, builder, params) {
      builder.chapter('formulas', 'Formulas');
      builder.step('even');
      const columns = 1024 * (2 + random.below(7));
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const variants = [draw(params.first, random), draw(params.second, random)] as const;
        const [a, b] = variants.map((variant) => (share: number) => rowBytes(variant, 100 * share, columns));
        const shares = crossings(a, b, GRID);
        if (shares.length === 1) {
          return { variants, columns, left: params.left, even: 100 * shares[0] };
        }
      }
      throw new LessonError('formulas: found no share at which these two are even, expected two formats that cross');
    },
    // At the start the bars at the chosen density; after the step, which is the answer, also those at the even density.
    panels: ({ encoded: { variants, columns, left, even } }, detail) =>
      [left, even].slice(0, detail === null ? 1 : 2).map((percent) => {
        const title = `${shortNumber(percent)} % left`;
        const bytes = variants.map((variant) => rowBytes(variant, percent, columns));
        const bars = variants.map(({ name }, i) => barAt(0, 1, name, bytes[i], `${countText(bytes[i])} B`));
        return barsPanel({ id: title, title, caption: `a row of ${countText(columns)} columns`, bars });
      }),
    narrate({ encoded: { variants, even, columns } }, detail) {
      const [a, b] = variants;
      return detail === null
        ? say`${a.name} compared with ${b.name}, by their closed forms.`
        : say`At ${strong(`${shortNumber(even)} % left`)} both take ${countText(rowBytes(a, even, columns))} bytes a row.`;
    },
    questions: [evenShare, bytesOfRow] as readonly Question[],
  });
}

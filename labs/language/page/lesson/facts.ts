// Numbers and questions of the lesson on pruned language models, from recorded measurements of their quality.

import type { FigureFacts } from '../../../../src/story/figure-facts.ts';
import type { RecordedQuality, RecordedRow } from '../../decoders/quality/recorded-quality.ts';
import { weightsOf } from '../../../../src/theory/models/model-shape.ts';
import { shippedModel } from '../../../../src/theory/models/known-models.ts';
import type { AppDocument } from '../../../../src/state/index.ts';
import { lostBitsPerTale, recordedQuality } from '../../overrides/use-quality.ts';
import { type LessonAddress, lessonAddress } from './address.ts';
import { brokenIn, LAW_GROUPS } from './law-groups.ts';
import { rowNamed, rowTitle, unprunedRow } from './measured-models.ts';
import { SPENSE } from '../quality/points.ts';
import type { PosedQuestion, WrongAnswer } from '../../../../src/story/question.ts';
import type { Words } from '../../../../src/core/text/words.ts';
import { counted, countText, say, strong } from '../../../../src/core/text/words.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';

/** A question about measured models, which write tales (short stories); the measurements determine its answer. */
interface ModelQuestion {
  readonly id: string;
  /** The question about `rows`, whose first may be the reference; null if it does not fit their measurements. */
  pose(rows: readonly RecordedRow[], quality: RecordedQuality): Omit<PosedQuestion, 'id'> | null;
}

/** The question with this id about models; null if it does not exist or fit, or if two answers are equal. */
function askAbout(id: string, quality: RecordedQuality, names: readonly string[]): PosedQuestion | null {
  const question = QUESTIONS.find((candidate) => candidate.id === id);
  const rows = names.flatMap((name) => rowNamed(quality, name) ?? []);
  const posed = question && rows.length === names.length ? question.pose(rows, quality) : null;
  if (!posed) return null;
  const answers = [posed.answer, ...posed.wrongAnswers.map(({ answer }) => answer)];
  return new Set(answers).size < answers.length ? null : { id, ...posed };
}

const bitsText = (row: RecordedRow): string => row.bitsPerByte.toFixed(3);
const unbroken = (row: RecordedRow): number => row.unbroken ?? 0;
const densityOfRow = (row: RecordedRow): string => densityText(row.density);

/** The fields of a question with options and one right answer; its fields for numbers and story steps are unused. */
const quiz = (ask: readonly Words[], options: readonly string[], answer: string, reason: readonly Words[]) => ({
  ask,
  options,
  answer,
  reason,
  unit: null,
  tolerance: 0,
  parts: [],
  before: 0,
  shows: 0,
});

/** A wrong answer, with the misconception behind it and a reply. */
const wrongAnswer = (id: string, title: string, answer: string, reply: readonly Words[]): WrongAnswer => ({
  id,
  title,
  answer,
  reply,
  falseAt: 0,
});

/** Whether a model is stored in f16 and not trained further. Not Spense: its columns are groups of two kinds. */
const isPlain = ({ valueType, trained, pattern }: RecordedRow): boolean =>
  valueType === 'f16' && trained === undefined && pattern !== SPENSE;

/** Whether each value is larger than the one before. */
const isRising = (values: readonly number[]): boolean => values.every((value, i) => i === 0 || value > values[i - 1]);

/** The group size of a pattern: 8 for 6:8; without a pattern, a whole row. */
const groupOf = ({ pattern }: RecordedRow): number =>
  pattern === undefined ? Number.MAX_SAFE_INTEGER : Number(pattern.split(':')[1]);

/** 'no tale', '1 tale', '157 tales' */
const talesText = (row: RecordedRow): string => (unbroken(row) === 0 ? 'no tale' : counted(unbroken(row), 'tale'));

/**
 * The least density at which half as many tales as dense stay unbroken (without an error). Rows: by falling density.
 */
const lastWhole: ModelQuestion = {
  id: 'last-whole',
  pose([dense, ...rows]) {
    const minUnbroken = unbroken(dense) / 2;
    const firstBelow = rows.findIndex((row) => unbroken(row) < minUnbroken);
    if (firstBelow < 1 || rows.length < 4 || rows.slice(firstBelow).some((row) => unbroken(row) >= minUnbroken))
      return null;
    const hasOneMethod = rows.every((row) => isPlain(row) && row.way === rows[0].way && row.pattern === undefined);
    if (!hasOneMethod || rows[0].way === 'random' || !isRising([dense, ...rows].map(({ density }) => -density)))
      return null;
    const [lastRow, nextRow] = [rows[firstBelow - 1], rows[firstBelow]];
    const halfDense = rows.find(({ density }) => density === 0.5);
    return {
      ...quiz(
        say`Dense, the model writes ${strong(`${unbroken(dense)} of ${dense.judged ?? 0}`)} unbroken tales. Pruning removes the least important weights first. Down to which density does it still write ${strong('half as many')}?`,
        rows.map(densityOfRow),
        densityOfRow(lastRow),
        say`At ${densityOfRow(lastRow)} it writes ${strong(unbroken(lastRow))}, at ${densityOfRow(nextRow)} ${strong(unbroken(nextRow))}.`,
      ),
      wrongAnswers: [
        wrongAnswer(
          'every-weight-counts',
          'every weight is needed',
          densityOfRow(rows[0]),
          say`Without the least important ${densityText(1 - rows[0].density)}, ${strong(talesText(rows[0]))} stayed unbroken.`,
        ),
        ...(halfDense
          ? [
              wrongAnswer(
                'half-is-spare',
                'half of all weights are spare in every model',
                densityOfRow(halfDense),
                say`That is nearly true for models with billions of weights. This model has few: at ${densityOfRow(halfDense)}, ${strong(talesText(halfDense))} stayed unbroken.`,
              ),
            ]
          : []),
      ].filter(({ answer }) => answer !== densityOfRow(lastRow)),
    };
  },
};

/**
 * Which laws (rules) most tales break first; posed if most break the laws of words and sentences. Rows: dense, and
 * pruned.
 */
const breaksFirst: ModelQuestion = {
  id: 'breaks-first',
  pose([dense, pruned]) {
    const count = ({ laws }: (typeof LAW_GROUPS)[number], row = pruned): number => brokenIn(row, laws);
    const broken = (pruned.judged ?? 0) - unbroken(pruned);
    const [mostBroken, ...others] = LAW_GROUPS;
    // The reply is only true for this answer.
    if (pruned.way === 'none' || others.some((group) => count(group) >= count(mostBroken))) return null;
    const mostWhenDense = LAW_GROUPS.reduce((a, b) => (count(b, dense) > count(a, dense) ? b : a));
    const owners = LAW_GROUPS[2];
    return {
      ...quiz(
        say`At ${strong(densityOfRow(pruned))} of its weights, ${strong(`${broken} of ${pruned.judged ?? 0}`)} tales break a law. What breaks first in most?`,
        LAW_GROUPS.map(({ title }) => title),
        mostBroken.title,
        say`In ${strong(count(mostBroken))} of ${broken} broken tales it is a word or sentence that no tale has.`,
      ),
      wrongAnswers: [
        wrongAnswer(
          'owners-first',
          'what must be remembered longest breaks first',
          owners.title,
          say`Owners break first in only ${strong(count(owners))} of ${broken} tales.`,
        ),
        wrongAnswer(
          'weakness-grows',
          'pruning makes the usual errors more frequent',
          mostWhenDense.title,
          say`Without pruning, they are ${strong(count(mostWhenDense, dense))} of ${(dense.judged ?? 0) - unbroken(dense)} errors. Here they come first in ${count(mostWhenDense)} of ${broken}.`,
        ),
      ].filter(({ answer }) => answer !== mostBroken.title),
    };
  },
};

/** Which of two patterns breaks the model; posed if the pattern with smaller groups and fewer weights does. */
const whichBreaks: ModelQuestion = {
  id: 'which-breaks-first',
  pose([a, b], quality) {
    const [worseRow, betterRow] = a.bitsPerByte > b.bitsPerByte ? [a, b] : [b, a];
    const [title, laterTitle] = [a, b].map(rowTitle).toSorted();
    const dense = unprunedRow(quality);
    const hasOneMethod =
      worseRow.way === betterRow.way && isPlain(worseRow) && isPlain(betterRow) && betterRow.pattern !== undefined;
    if (!dense || !hasOneMethod || groupOf(worseRow) >= groupOf(betterRow) || worseRow.density >= betterRow.density)
      return null;
    if (10 * unbroken(worseRow) > unbroken(dense) || 2 * unbroken(betterRow) < unbroken(dense)) return null;
    return {
      ...quiz(
        say`${strong(title)} or ${strong(laterTitle)}: which breaks this model?`,
        [title, laterTitle, 'both', 'none of them'],
        rowTitle(worseRow),
        say`With ${rowTitle(worseRow)} it needs ${strong(`${bitsText(worseRow)} bits`)} a byte, and ${talesText(worseRow)} stayed unbroken. With ${rowTitle(betterRow)} it needs ${strong(bitsText(betterRow))}, and ${unbroken(betterRow)} of ${betterRow.judged ?? 0} did.`,
      ),
      wrongAnswers: [
        wrongAnswer(
          'patterns-break',
          'any fixed pattern breaks it',
          'both',
          say`${rowTitle(betterRow)} chooses within groups, and removes only ${densityText(1 - betterRow.density)}: ${strong(talesText(betterRow))} stayed unbroken.`,
        ),
        wrongAnswer(
          'larger-groups-break',
          'larger groups are harder',
          rowTitle(betterRow),
          say`A larger group is freer. And ${rowTitle(betterRow)} keeps ${strong(densityOfRow(betterRow))}, not ${densityOfRow(worseRow)}.`,
        ),
        wrongAnswer(
          'patterns-are-free',
          'a network has enough weights for either',
          'none of them',
          say`${rowTitle(worseRow)} removes ${densityText(1 - worseRow.density)} wherever they are. This model cannot spare as many: ${strong(`${bitsText(worseRow)} bits`)} per byte.`,
        ),
      ],
    };
  },
};

/** Which of several patterns with the same density loses most; posed if smaller groups lose more. */
const whichLosesMost: ModelQuestion = {
  id: 'which-loses-most',
  pose(rows) {
    const [bestRow, ...others] = rows.toSorted((a, b) => a.bitsPerByte - b.bitsPerByte);
    const worstRow = others[others.length - 1];
    const hasSamePruning = (row: RecordedRow): boolean =>
      row.density === worstRow.density && row.way === worstRow.way && isPlain(row);
    if (!rows.every(hasSamePruning) || !isRising([bestRow, ...others].map((row) => -groupOf(row)))) return null;
    const title = (row: RecordedRow): string => (row.pattern === undefined ? 'anywhere in a row' : rowTitle(row));
    const allEqual = 'all lose the same';
    return {
      ...quiz(
        say`All of these keep ${strong(densityOfRow(worstRow))} of the weights, chosen by the same criterion. They differ in where weights may stay. Which loses most?`,
        [...rows.map(title), allEqual],
        title(worstRow),
        say`${title(worstRow)} needs ${strong(`${bitsText(worstRow)} bits`)} a byte, ${title(bestRow) === 'anywhere in a row' ? 'a free choice' : title(bestRow)} ${strong(bitsText(bestRow))}. The smaller the group, the more important weights compete for its slots.`,
      ),
      wrongAnswers: [
        wrongAnswer(
          'only-the-share-counts',
          'only the number of weights matters',
          allEqual,
          say`It also matters which weights stay: ${title(worstRow)} needs ${strong(`${(worstRow.bitsPerByte / bestRow.bitsPerByte).toFixed(1)} times`)} the bits of the best.`,
        ),
        ...rows
          .filter((row) => row !== worstRow)
          .map((row, i) =>
            wrongAnswer(
              `more-freedom-loses-${i + 1}`,
              'a freer choice is a worse one',
              title(row),
              say`It needs ${strong(`${bitsText(row)} bits`)}. A larger group may keep everything that a smaller one may.`,
            ),
          ),
      ],
    };
  },
};

/** The options of `narrowOrFew`. */
const FOUR_BITS = 'all weights with four bits';
const HALF_OF_THE_WEIGHTS = 'half of the weights with sixteen';
const BOTH_EQUAL = 'both the same';

/** 4-bit weights or half of the weights: which writes better; posed if 4 bits do. Rows: i4, and half pruned. */
const narrowOrFew: ModelQuestion = {
  id: 'narrow-or-few',
  pose([fourBit, halfPruned]) {
    const isQuestion =
      fourBit.valueType === 'i4' && fourBit.way === 'none' && halfPruned.density === 0.5 && isPlain(halfPruned);
    if (!isQuestion || fourBit.bitsPerByte >= halfPruned.bitsPerByte) return null;
    return {
      ...quiz(
        say`Four bits for every weight, or sixteen for half? The first takes half the bytes. ${strong('Which writes better?')}`,
        [FOUR_BITS, HALF_OF_THE_WEIGHTS, BOTH_EQUAL],
        FOUR_BITS,
        say`With four bits, ${strong(`${unbroken(fourBit)} of ${fourBit.judged ?? 0}`)} tales stay unbroken; with half of the weights, ${strong(unbroken(halfPruned) === 0 ? 'none' : countText(unbroken(halfPruned)))}.`,
      ),
      wrongAnswers: [
        wrongAnswer(
          'precision-matters',
          'a weight that is stored must be exact',
          HALF_OF_THE_WEIGHTS,
          say`Rounding moves each weight a little, and most of that cancels. Pruning moves half of them to zero.`,
        ),
        wrongAnswer(
          'bytes-are-bytes',
          'all that matters is how much is removed',
          BOTH_EQUAL,
          say`Sixteen bits are more precise than a weight needs; ${strong('which weights there are')} is what the model has learned.`,
        ),
      ],
    };
  },
};

const QUESTIONS: readonly ModelQuestion[] = [lastWhole, breaksFirst, whichBreaks, whichLosesMost, narrowOrFew];

/** Numbers and questions for a lesson's figure, from the recorded quality of its model. Rejects without a recording. */
export async function facts(document: AppDocument): Promise<FigureFacts> {
  const address = lessonAddress(document);
  const quality = await recordedQuality(address.model);
  if (!quality) throw new Error(`quality.json of ${address.model}: found nothing, expected what was measured`);
  return factsOf(address, quality);
}

/** The facts from a loaded recording. Throws Error for a model that was not measured. */
export function factsOf({ model, compared }: LessonAddress, quality: RecordedQuality): FigureFacts {
  const shape = shippedModel(model)?.shape;
  for (const name of compared?.rows ?? []) measuredModel(quality, name);
  return {
    caption: `${shape?.name ?? model} · ${compared ? 'measured on tales' : 'a tale that it wrote'}`,
    answeredBy: 'the model',
    number: (name) => (name === 'weights' && shape ? weightsOf(shape) : numberOf(quality, name)),
    questionOf: (question) => (compared ? askAbout(question, quality, compared.rows) : null),
  };
}

/** The measured model with a name such as wanda-60. Throws Error if there is none. */
export function measuredModel(quality: RecordedQuality, name: string): RecordedRow {
  const row = rowNamed(quality, name);
  if (row) return row;
  throw new Error(`x.lesson: found '${name.slice(0, 40)}', expected a model that was measured, such as wanda-60`);
}

/** The number for a placeholder of a lesson, such as {wanda-60.spelling} (CONTRIBUTING.md); null if unknown. */
function numberOf(quality: RecordedQuality, name: string): number | null {
  const { floor, tales, bytes } = quality;
  if (name === 'floor') return floor.exact; // Bits per byte that no model can beat.
  if (name === 'tales') return tales;
  if (name === 'bytesPerTale') return bytes / tales;
  if (name === 'bitsPerTale') return (floor.exact * bytes) / tales;
  const [, model = '', property = ''] = /^(.+)\.(\w+)$/.exec(name) ?? [];
  const row = rowNamed(quality, model);
  if (!row) return null;
  switch (property) {
    case 'bits':
      return row.bitsPerByte;
    case 'lost':
      return lostBitsPerTale(quality, row.bitsPerByte);
    case 'left':
      return row.density;
    case 'trained':
      return row.trained ?? null;
    case 'unbroken':
      return row.unbroken ?? null;
    case 'broken':
      return row.unbroken === undefined || row.judged === undefined ? null : row.judged - row.unbroken;
    default:
      return LAWS.includes(property) && row.firstBroken ? brokenIn(row, [property]) : null;
  }
}

const LAWS = LAW_GROUPS.flatMap(({ laws }): readonly string[] => laws);

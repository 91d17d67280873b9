// A target of the fuzzer: the answers of a custom format's module (its JavaScript code), which the page must not trust.

import { CsrMatrix } from '../../../src/core/matrix/index.ts';
import type { Random } from '../../../src/core/number/random.ts';
import { BYTE_CLASSES } from '../../../src/core/encoded/ledger.ts';
import { SparseScopeError } from '../../../src/core/errors.ts';
import { narrationText } from '../../../src/story/scene.ts';
import {
  parseArrays,
  parseDecoding,
  arrayDeclarations,
  parseDescription,
  parseEncoding,
  type Outcome,
  paramsOf,
} from '../own/parse-answers.ts';
import type { RoundTrip } from '../own/module-requests.ts';
import { matrixMessage } from '../own/decoded-matrix.ts';
import { userFormat } from '../own/user-format.ts';
import { answerTo, type UserFormatModule } from '../own/runtime/answer.ts';
import { reasonOf } from '../own/user-format-source.ts';
import { userFormatStory } from '../own/story/index.ts';
import { type Json, mutatedJson } from '../../../fuzz/json.ts';
import { rangesToRemove, pick } from '../../../fuzz/pieces.ts';
import { defineTarget, type Fault, SILENT_STEPS } from '../../../fuzz/target.ts';
import { errorFault, messageFault } from '../../../fuzz/words.ts';

/** The answers of a module, one after the other: its description, its arrays, an encoding, a decoding. */
type Answers = readonly Json[];

const WINDOW = new CsrMatrix({
  rows: 3,
  cols: 5,
  indptr: Uint32Array.of(0, 2, 2, 5),
  indices: Uint32Array.of(0, 4, 1, 2, 3),
  data: Float32Array.of(1, -0.5, 2, 70_000, Number.NaN),
});

/** A custom format that stores each row as gaps between columns, of 4 or 8 bits. Written here, so it needs no sandbox. */
const FORMAT_MODULE: UserFormatModule = {
  title: 'gaps',
  params: { bits: { options: [4, 8], meaning: 'bits of a gap' } },
  arrays: ({ bits }: { bits: number }) => ({ values: 'f16 values', gaps: `u${bits} indices`, starts: 'i32 metadata' }),
  encode(
    A: Iterable<{ index: number; length: number; columns: Uint32Array; values: Float32Array }>,
    out: Record<string, { push(value: number): void; length: number }>,
    _: unknown,
    tell?: (...words: unknown[]) => void,
  ) {
    for (const row of A) {
      out['starts'].push(out['values'].length);
      for (let i = 0; i < row.length; i++) {
        out['values'].push(row.values[i]);
        out['gaps'].push(row.columns[i] - (i === 0 ? 0 : row.columns[i - 1]));
        tell?.(`Entry ${i}.`, row, row.columns[i]);
      }
    }
    out['starts'].push(out['values'].length);
  },
  decode(
    arrays: Record<string, Float32Array>,
    { rows }: { rows: number },
    put: (row: number, column: number, value: number) => void,
  ) {
    for (let r = 0; r < rows; r++) {
      let column = 0;
      for (let i = arrays['starts'][r]; i < arrays['starts'][r + 1]; i++) {
        column += arrays['gaps'][i];
        put(r, column, arrays['values'][i]);
      }
    }
  },
};

const ARRAY_TYPES = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float32Array, Float64Array };

/** An answer as JSON: a typed array becomes its type's name (`list`) and its numbers. */
function answerToJson(value: unknown): Json {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      ArrayBuffer.isView(inner)
        ? {
            list: inner.constructor.name,
            numbers: Array.from(inner as Float32Array, (n) => (Number.isFinite(n) ? n : 0)),
          }
        : inner,
    ),
  ) as Json;
}

/** The reverse of `answerToJson`. */
function answerFromJson(json: Json): unknown {
  return JSON.parse(JSON.stringify(json), (_, inner: unknown) => {
    const { list, numbers } = Object(inner) as { readonly list?: unknown; readonly numbers?: unknown };
    const ArrayType =
      typeof list === 'string' && Object.hasOwn(ARRAY_TYPES, list)
        ? ARRAY_TYPES[list as keyof typeof ARRAY_TYPES]
        : null;
    return ArrayType && Array.isArray(numbers) ? ArrayType.from(numbers.map(Number)) : inner;
  });
}

/** The answers of FORMAT_MODULE to all requests, which are then changed at random. */
function answersOfModule(): Json[] {
  const description = parseDescription(answerTo(FORMAT_MODULE, '', { ask: 'describe' }));
  if (description.kind !== 'done') throw new Error('the module has no description');
  const params = paramsOf(description.result);
  const declared = answerTo(FORMAT_MODULE, '', { ask: 'arrays', params });
  const arrays = parseArrays(declared);
  if (arrays.kind !== 'done') throw new Error('the module has no arrays');
  const encoded = answerTo(FORMAT_MODULE, '', {
    ask: 'encode',
    matrix: matrixMessage(WINDOW),
    params,
    arrays: arrayDeclarations(arrays.result),
    recorded: 'lines',
  });
  const encoding = parseEncoding(encoded, arrays.result, WINDOW);
  if (encoding.kind !== 'done') throw new Error('the module encodes nothing');
  const decoded = answerTo(FORMAT_MODULE, '', {
    ask: 'decode',
    rows: WINDOW.rows,
    cols: WINDOW.cols,
    params,
    arrays: encoding.result.arrays.map(({ array, elements }) => [array.name, elements]),
    recorded: true,
  });
  return [answerTo(FORMAT_MODULE, '', { ask: 'describe' }), declared, encoded, decoded].map(answerToJson);
}

/** Values that replace parts of an answer. */
const HOSTILE_VALUES: readonly ((random: Random) => Json)[] = [
  () => null,
  () => [],
  () => ({}),
  () => -1,
  () => 0.5,
  () => 2 ** 31,
  () => 2 ** 40,
  () => '',
  () => '\u202e\u0000',
  () => 'x'.repeat(1e5),
  () => '__proto__',
  () => 'u1 values',
  () => 'f32 metadata',
  () => 'refused',
  () => 'failed',
  (random) => ({ list: pick(random, Object.keys(ARRAY_TYPES)), numbers: [0, 1, 2, 3, 4] }),
  (random) => ({
    list: pick(random, Object.keys(ARRAY_TYPES)),
    numbers: Array.from({ length: 3000 }, (_, i) => i % 7),
  }),
];

/**
 * Checks that each wrong answer gets a message, and that a format made of accepted answers works: its ledger accounts for
 * every byte, its encoding is valid, and its product and story run.
 */
async function checkAnswers(answers: Answers): Promise<Fault | null> {
  const [described, declared, encodedAnswer, decodedAnswer] = answers.map(answerFromJson);
  let outcome: Outcome<RoundTrip>;
  try {
    outcome = roundTrip(described, declared, encodedAnswer, decodedAnswer);
  } catch (error) {
    return errorFault(error, SparseScopeError);
  }
  if (outcome.kind !== 'done') return reasonOf(outcome) === '' ? null : messageFault(reasonOf(outcome));
  const { description, params } = outcome.result.setup;
  const source = { name: 'fuzz', text: 'a\nb', description, resultOf: () => outcome };
  const format = userFormat(source);
  const encoded = format.encode(WINDOW, params);
  const { entries, totalBits, totalBytes } = format.storage(encoded);
  const bits = BYTE_CLASSES.reduce((sum, byteClass) => sum + totalBits[byteClass], 0);
  if (
    bits !== 8 * totalBytes ||
    entries.some((entry) => BYTE_CLASSES.some((byteClassName) => entry.bits[byteClassName] < 0))
  ) {
    return { law: 'the ledger accounts for every byte', message: `found ${bits} bits, expected ${8 * totalBytes}` };
  }
  const [violation] = format.validate(encoded, 'full');
  if (violation) return { law: 'an encoding is valid', message: violation.message };
  format.multiply(encoded, new Float32Array(WINDOW.cols), new Float32Array(WINDOW.rows));
  const story = userFormatStory(source);
  const trace = story.trace(WINDOW, params);
  const last = trace.steps.length;
  for (const step of new Set([0, 1, last >> 1, last - 1, last])) {
    if (step < 0 || step > last) continue;
    const fault = messageFault(narrationText(story.scene(trace, step)).slice(0, 500));
    if (fault) return fault;
  }
  return null;
}

/** The round trip that the page parses from the answers, or how it ends early. */
function roundTrip(
  described: unknown,
  declared: unknown,
  encodedAnswer: unknown,
  decodedAnswer: unknown,
): Outcome<RoundTrip> {
  const description = parseDescription(described);
  if (description.kind !== 'done') return description;
  const arrays = parseArrays(declared);
  if (arrays.kind !== 'done') return arrays;
  const encoding = parseEncoding(encodedAnswer, arrays.result, WINDOW);
  if (encoding.kind !== 'done') return encoding;
  const lengths = encoding.result.arrays.map(({ elements }) => elements.length);
  const decoding = parseDecoding(decodedAnswer, WINDOW, lengths);
  if (decoding.kind !== 'done') return decoding;
  const setup = { description: description.result, params: paramsOf(description.result), arrays: arrays.result };
  return { kind: 'done', result: { setup, encoding: encoding.result, decoding: decoding.result } };
}

/** The answers of a custom format's module. Cases of this target are stored under the id 'own'. */
export const userTarget = defineTarget<Answers>({
  id: 'own',
  unit: 'answers',
  share: 0.05,
  maxSteps: SILENT_STEPS,
  generate(random) {
    const answers = answersOfModule();
    const index = random.below(answers.length);
    return answers.with(index, mutatedJson(random, answers[index], HOSTILE_VALUES));
  },
  check: checkAnswers,
  *smaller(answers) {
    const text = JSON.stringify(answers);
    // Long texts and lists are shortened if the result is JSON.
    for (const [from, to] of rangesToRemove(Math.min(text.length, 200))) {
      try {
        yield JSON.parse(text.slice(0, from) + text.slice(to)) as Answers;
      } catch {
        // Not JSON any more.
      }
    }
  },
  toJson: (answers) => answers,
  fromJson: (value) => value as Answers,
});

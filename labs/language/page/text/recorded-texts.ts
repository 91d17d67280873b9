import type { Pruning } from '../../../../src/engine/matrix/source-types.ts';
import type { Verdict } from '../../tales/judge.ts';
import type { ReadToken, WriteRequest } from '../service/types.ts';
import { storedTypeOf } from '../../decoders/stored/recipe.ts';
import { densityOf } from '../model-choice.ts';
import type { TextPair } from './text-pair.ts';

/**
 * Texts that a model wrote from one prompt and seed, dense and at several densities:
 * labs/language/public/models/ID/texts.json, which the page shows before it has the weights.
 * `labs/language/scripts/record-tales.ts` writes the file.
 */
export interface RecordedTexts {
  readonly schema: 1;
  readonly model: string;
  readonly prompt: string;
  readonly seed: number;
  readonly temperature: number;
  /** the prompt in tokens */
  readonly promptTokens: readonly string[];
  /** text of the dense model */
  readonly dense: readonly string[];
  readonly ended: boolean;
  /** bits that the dense model needs for its text */
  readonly denseBits: number;
  /** UTF-8 bytes of the dense text after the prompt */
  readonly bytes: number;
  readonly verdict: Verdict;
  /** the tokens to which `marks` refers by index */
  readonly words: readonly string[];
  /** a reading for each pruned model */
  readonly marks: readonly RecordedReading[];
}

/** The dense text as a pruned model reads it, and that model's own text. */
export interface RecordedReading {
  readonly way: Pruning['way'];
  readonly density: number;
  /** bits that the pruned model needs for the dense text */
  readonly prunedBits: number;
  /**
   * for each token of the dense text: the bits that the pruned model lost there (log2 of the dense probability over the
   * pruned probability), the token that it would have written or null for the same token, and the most likely tokens
   * with both probabilities in thousandths
   */
  readonly held: readonly (readonly [
    lost: number,
    prunedToken: number | null,
    likely: readonly (readonly [word: number, dense: number, pruned: number])[],
  ])[];
  /** number of tokens after the prompt that the pruned model's text shares with the dense text */
  readonly fork: number;
  /** the tokens after those */
  readonly free: readonly string[];
  readonly freeEnded: boolean;
  readonly verdict: Verdict;
}

/** The recorded text of a request; null if there is none. */
export function recordedText(texts: RecordedTexts, request: WriteRequest): TextPair | null {
  const { model, prompt, seed, temperature, pruning } = request;
  const isSameText =
    texts.model === model.id && texts.prompt === prompt && texts.seed === seed && texts.temperature === temperature;
  const isPlain = (request.overrides ?? []).length === 0 && (request.calibration ?? '') === '';
  if (!isSameText || !isPlain || storedTypeOf(request.params) !== 'f16') return null;
  const density = densityOf(pruning);
  const reading = texts.marks.find(
    (candidate) => Math.abs(candidate.density - density) < 1e-9 && (pruning === null || candidate.way === pruning.way),
  );
  if (!reading) return null;
  return {
    prompt: texts.promptTokens,
    dense: texts.dense,
    readTokens: reading.held.map(([lost, prunedToken, likely], i): ReadToken => ({
      text: texts.dense[i],
      lost,
      prunedToken: prunedToken === null ? null : texts.words[prunedToken],
      likely: likely.map(([word, dense, pruned]) => ({
        text: texts.words[word],
        dense: dense / 1000,
        pruned: pruned / 1000,
      })),
    })),
    free: { firstDifference: reading.fork, tokens: reading.free },
    outcome: {
      ended: texts.ended,
      freeEnded: reading.freeEnded,
      verdicts: { dense: texts.verdict, free: reading.verdict },
      bytes: texts.bytes,
      denseBits: texts.denseBits,
      prunedBits: reading.prunedBits,
      rates: { dense: null, pruned: null },
      where: 'cpu',
      notOnGpu: null,
      multiplied: null,
    },
  };
}

/** Parses a texts.json. Throws TypeError for anything else. */
export function readRecordedTexts(value: unknown): RecordedTexts {
  const texts = value as Partial<RecordedTexts> | null;
  if (texts?.schema !== 1 || ![texts.dense, texts.words, texts.marks].every(Array.isArray)) {
    throw new TypeError('texts.json: found something else, expected recorded texts of schema 1');
  }
  for (const { held } of texts.marks ?? []) {
    if (!Array.isArray(held) || held.length !== texts.dense?.length) {
      throw new TypeError(`texts.json: found ${held?.length ?? 'no'} tokens, expected ${texts.dense?.length}`);
    }
  }
  return texts as RecordedTexts;
}

// Tokens per second of written texts.

import { median } from '../../../../src/core/number/statistics.ts';
import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { WRITTEN_AT_ONCE } from '../../decoders/chain/chain.ts';
import type { Decoder, Sampling } from '../../decoders/decoder.ts';

/** Texts with fewer timed tokens are too short to measure a speed. */
export const MIN_TIMED_TOKENS = 16;

/**
 * Tokens of one measurement of a decoder: first untimed tokens, which are in the smaller submits and in the first full
 * one (1 + 2 + 4 + 8, see `tokensOfSubmit`), then timed tokens in full submits. The tokens of a submit arrive together,
 * so time begins and ends where a submit ends.
 */
const UNTIMED_TOKENS = 2 * WRITTEN_AT_ONCE - 1;
const TIMED_TOKENS = 16 * WRITTEN_AT_ONCE;

/** Maximum number of turns, and the time after which no further turn begins. */
const MAX_TURNS = 5;
const TURNS_MS = 300;

/** The time that a model has taken so far, and the tokens written in it. */
export interface TimeSpent {
  ms: number;
  tokens: number;
}

/** Tokens per second; null without tokens. */
export function rateOf({ ms, tokens }: Readonly<TimeSpent>): number | null {
  return ms > 0 && tokens > 0 ? (1000 * tokens) / ms : null;
}

/** The settings with which decoders are timed. */
export interface TimingSettings {
  /** ids of bos and of the prompt */
  readonly begin: readonly number[];
  readonly sampling: Sampling;
  readonly job: ServiceJob;
  readonly now: () => number;
}

/**
 * Tokens per second of each decoder, by the wall clock: the decoders take turns to write a text from its beginning, and
 * the median turn counts. null if its texts end too soon. The writing of the page's own text is not timed: its speed
 * depends on what was compiled or cached before.
 */
export async function ratesInTurns(
  decoders: readonly Decoder[],
  settings: TimingSettings,
): Promise<readonly (number | null)[]> {
  const timedDecoders = decoders.map((decoder) => ({ decoder, rates: [] as number[] }));
  const from = settings.now();
  for (let turn = 0; turn < MAX_TURNS && (turn === 0 || settings.now() - from < TURNS_MS); turn++) {
    for (const { decoder, rates } of timedDecoders) {
      const rate = await rateWriting(decoder, settings);
      if (rate !== null) rates.push(rate);
    }
  }
  return timedDecoders.map(({ rates }) => (rates.length > 0 ? median(rates) : null));
}

/** Tokens per second of a decoder in one turn; null if its text ends too soon. */
async function rateWriting(decoder: Decoder, { begin, sampling, job, now }: TimingSettings): Promise<number | null> {
  decoder.rewind(0);
  if (begin.length > 1) await decoder.feed(begin.slice(0, -1));
  const maxTokens = Math.min(UNTIMED_TOKENS + TIMED_TOKENS, decoder.config.context - begin.length);
  let tokens = 0;
  let timed = 0;
  let from = now();
  let to = from;
  for await (const _ of decoder.write(begin[begin.length - 1], maxTokens, sampling)) {
    job.throwIfCancelled();
    tokens++;
    // A text may end inside a submit, whose time covers all of its tokens.
    if (tokens < UNTIMED_TOKENS || (tokens - UNTIMED_TOKENS) % WRITTEN_AT_ONCE > 0) continue;
    to = now();
    timed = tokens - UNTIMED_TOKENS;
    if (timed === 0) from = to;
  }
  return timed < MIN_TIMED_TOKENS ? null : rateOf({ ms: to - from, tokens: timed });
}

import { median } from '../../../../core/number/statistics.ts';
import type { ServiceJob } from '../../../../engine/bridge/job.ts';
import type { Decoder, Sampling } from '../../decoders/decoder.ts';

/** Texts with fewer tokens are too short to measure a speed. */
export const MIN_TIMED_TOKENS = 16;

/** Tokens for timing a device; the first ones come in smaller submits, and are not timed. */
const TIMED = 128;
const UNTIMED = 16;

/** Decoders are timed in turns: at most so many, and no further one begins after so many ms. */
const TURNS = 5;
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

/** The settings for timing a text. */
export interface TimingSettings {
  /** ids of bos and of the prompt */
  readonly begin: readonly number[];
  readonly sampling: Sampling;
  readonly job: ServiceJob;
  readonly now: () => number;
}

/**
 * Tokens per second of decoders that write from the beginning in turns, by the wall clock; the median turn counts. The speed at
 * which the page's text was written would depend on what was compiled or cached before. Null if texts end too soon.
 */
export async function ratesInTurns(
  decoders: readonly Decoder[],
  settings: TimingSettings,
): Promise<readonly (number | null)[]> {
  const timedDecoders = decoders.map((decoder) => ({ decoder, rates: [] as number[] }));
  const from = settings.now();
  for (let turn = 0; turn < TURNS && (turn === 0 || settings.now() - from < TURNS_MS); turn++) {
    for (const { decoder, rates } of timedDecoders) {
      const rate = await rateWriting(decoder, settings);
      if (rate !== null) rates.push(rate);
    }
  }
  return timedDecoders.map(({ rates }) => (rates.length > 0 ? median(rates) : null));
}

/** Tokens per second while a decoder writes; null if its text ends too soon. */
async function rateWriting(decoder: Decoder, { begin, sampling, job, now }: TimingSettings): Promise<number | null> {
  decoder.rewind(0);
  if (begin.length > 1) await decoder.feed(begin.slice(0, -1));
  const maxTokens = decoder.config.context - begin.length;
  let tokens = 0;
  let from = now();
  let to = from;
  for await (const _ of decoder.write(begin[begin.length - 1], Math.min(UNTIMED + TIMED, maxTokens), sampling)) {
    job.throwIfCancelled();
    tokens++;
    to = now();
    if (tokens === UNTIMED) from = to;
  }
  return tokens < UNTIMED + MIN_TIMED_TOKENS ? null : rateOf({ ms: to - from, tokens: tokens - UNTIMED });
}

// node scripts/run.mjs labs/language/scripts/record-tales.ts [--model tales] [--seed N] [--prompt TEXT]: writes
// labs/language/public/models/MODEL/texts.json: the first text of the page Language at each density of its
// slider. The page shows these texts before the weights are loaded.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ServiceJob } from '../../../src/engine/bridge/service-job.ts';
import { DeviceHolder } from '../../../src/engine/device.ts';
import { LoadedModels } from '../models/loaded-models.ts';
import { MAX_WRITTEN } from '../page/text/fields.ts';
import type { RecordedReading, RecordedTexts } from '../page/text/recorded-texts.ts';
import type { ReadToken, WriteRequest, WritingResult } from '../page/service/types.ts';
import { Decoders } from '../page/service/decoders.ts';
import { formatById, referenceFormat } from '../../../src/formats/registry.ts';
import { TextWriter } from '../page/service/write.ts';

const SLIDER_DENSITIES = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1];
const TEMPERATURE = 0.8;
/** Less likely next words are left out. */
const MIN_LIKELIHOOD = 0.02;

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'tales' },
    seed: { type: 'string', default: '10' },
    prompt: { type: 'string', default: '' },
  },
});
const folder = resolve('labs/language/public/models', values.model);
const now = (): number => performance.now();
const pause = (ms = 0): Promise<void> => new Promise((done) => void setTimeout(done, ms));
const models = new LoadedModels({ now, pause, fetch: async (url) => new Response(readFileSync(url)) });
const device = new DeviceHolder({ gpu: undefined, isSecure: true, runtime: 'Node' });
const writer = new TextWriter(models, new Decoders({ device, now, pause }), { now, pause, format: formatById });

/**
 * A text that the dense model wrote, what the pruned model predicts for it, and the text that the pruned model wrote.
 */
interface WrittenTexts {
  readonly prompt: readonly string[];
  readonly dense: readonly string[];
  /** predictions of the pruned model for each token of the dense text */
  readonly prunedReadsDense: readonly ReadToken[];
  /** number of tokens at the beginning that both texts share */
  readonly divergesAt: number;
  /** tokens of the pruned model's text from there on */
  readonly prunedContinuation: readonly string[];
  readonly written: WritingResult;
}

/** Texts of the dense and of the pruned model, both drawn with a seed. */
async function write(seed: number, method: 'wanda' | 'magnitude', density: number): Promise<WrittenTexts> {
  const request: WriteRequest = {
    model: { id: values.model, url: `${folder}/` },
    pruning: density === 1 ? null : { way: method, density },
    format: referenceFormat.id,
    params: {},
    prompt: values.prompt,
    seed,
    temperature: TEMPERATURE,
    count: MAX_WRITTEN,
  };
  let prompt: readonly string[] = [];
  const dense: string[] = [];
  const prunedReadsDense: ReadToken[] = [];
  const prunedContinuation: string[] = [];
  let divergesAt = 0;
  const result = await writer.write(new ServiceJob({ now }), request, (event) => {
    if (event.kind === 'begin') prompt = event.prompt;
    else if (event.kind === 'written') dense.push(...event.tokens); // bounded: tokens of one text
    else if (event.kind === 'read') prunedReadsDense.push(...event.tokens); // bounded: tokens of one text
    else {
      divergesAt = event.firstDifference;
      prunedContinuation.push(...event.tokens); // bounded: tokens of one text
    }
  });
  return { prompt, dense, prunedReadsDense, divergesAt, prunedContinuation, written: result };
}

const round = (x: number, digits: number): number => Number(x.toFixed(digits));

/** Records the texts of a seed at every density of the slider in texts.json. */
async function record(seed: number): Promise<void> {
  const marks: RecordedReading[] = [];
  const words = new Map<string, number>(); // bounded: the model's vocabulary
  const wordAt = (text: string): number => {
    const index = words.get(text) ?? words.size;
    words.set(text, index);
    return index;
  };
  let texts: RecordedTexts | null = null;
  const prunings = [
    ...SLIDER_DENSITIES.map((density) => ({ way: 'wanda', density }) as const),
    // The pruning of the selection bar at the start.
    { way: 'magnitude', density: 0.5 } as const,
  ];
  for (const { way: method, density } of prunings) {
    const {
      prompt,
      dense,
      prunedReadsDense,
      divergesAt,
      prunedContinuation,
      written: result,
    } = await write(seed, method, density);
    const { verdicts } = result;
    if (verdicts === null) throw new Error(`${values.model}: found no verdicts, expected a model of tales`);
    marks.push({
      way: method,
      density,
      prunedBits: round(result.prunedBits, 2),
      held: prunedReadsDense.map(({ lost, prunedToken, likely }) => [
        round(lost, 2),
        prunedToken === null ? null : wordAt(prunedToken),
        likely
          .filter((token, i) => i === 0 || Math.max(token.dense, token.pruned) >= MIN_LIKELIHOOD)
          .map(
            (token) => [wordAt(token.text), Math.round(1000 * token.dense), Math.round(1000 * token.pruned)] as const,
          ),
      ]),
      fork: divergesAt,
      free: prunedContinuation,
      freeEnded: result.freeEnded,
      verdict: verdicts.free,
    });
    texts = {
      schema: 1,
      model: values.model,
      prompt: values.prompt,
      seed,
      temperature: TEMPERATURE,
      promptTokens: prompt,
      dense,
      ended: result.ended,
      denseBits: round(result.denseBits, 2),
      bytes: result.bytes,
      verdict: verdicts.dense,
      words: [...words.keys()],
      marks,
    };
    console.log(
      `${method} ${density}: ${verdicts.free.broken?.law ?? 'unbroken'}, diverges at ${divergesAt} of ${dense.length}`,
    );
  }
  writeFileSync(`${folder}/texts.json`, `${JSON.stringify(texts)}\n`);
}

await record(Number(values.seed));

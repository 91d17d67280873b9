// node scripts/run.mjs labs/language/scripts/record-neurons.ts: writes labs/language/page/neurons/tale.json, the first
// tokens of the tale that Neurons shows before any weight is there, with what fires at them.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ServiceJob } from '../../../src/engine/bridge/service-job.ts';
import { LoadedModels } from '../models/loaded-models.ts';
import type { PackedTale } from '../page/neurons/packed-tale.ts';
import { FiringWriter } from '../page/service/firing-writer.ts';
import type { FiredToken } from '../page/service/types.ts';
import { MAX_WRITTEN, TEXT_FIELDS } from '../page/text/fields.ts';
import { packFired } from './pack-fired.ts';

const MODEL = 'tales-relu';
/** Recorded tokens: as many as fit into 40 KB; the page shows about 70 at once. */
const RECORDED_TOKENS = 200;
const MAX_BYTES = 40_000;

const now = (): number => performance.now();
const pause = (ms = 0): Promise<void> => new Promise((done) => void setTimeout(done, ms));
const models = new LoadedModels({ now, pause, fetch: async (url) => new Response(readFileSync(url)) });
const firedTokens: FiredToken[] = [];
const settings = {
  prompt: TEXT_FIELDS.prompt.default,
  seed: TEXT_FIELDS.seed.default,
  temperature: TEXT_FIELDS.temperature.default,
};
await new FiringWriter(models, now).write(
  new ServiceJob({ now }),
  { model: { id: MODEL, url: `${resolve('labs/language/public/models', MODEL)}/` }, ...settings, count: MAX_WRITTEN },
  (tokens) => {
    firedTokens.push(...tokens); // bounded: tokens of one text
  },
);
const recorded = firedTokens.slice(0, RECORDED_TOKENS);
const tale: PackedTale = {
  schema: 1,
  model: MODEL,
  ...settings,
  total: firedTokens.length,
  layers: firedTokens[0].layers.length,
  pieces: recorded.map(({ piece }) => piece),
  fired: packFired(recorded),
};
const text = `${JSON.stringify(tale, null, 2)}\n`;
const { length } = gzipSync(text);
if (length > MAX_BYTES) throw new Error(`tale.json: found ${length} bytes compressed, expected at most ${MAX_BYTES}`);
writeFileSync('labs/language/page/neurons/tale.json', text);
console.log(`${recorded.length} of ${firedTokens.length} tokens, ${length} bytes compressed`);

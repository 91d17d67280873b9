// Publishes trained models: copies what run.sh wrote to OUT into labs/language/public/models and the golden files of
// tests, judges the texts that the models wrote, and computes the exact floor of the test tales.
// Call: node scripts/run.mjs labs/language/scripts/train-tales/publish.ts OUT
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { exactBits, judge } from '../../tales/judge.ts';

/** A text that a model wrote. */
interface WrittenText {
  readonly text: string;
  readonly ended: boolean;
}

/** The properties of the results of train.py that are used here. */
interface Results {
  readonly model: string;
  readonly parameters: number;
  readonly torch: string;
  readonly device: string;
  readonly test: {
    /** indices of the test tales that were measured */
    readonly kept: readonly number[];
    readonly tales: number;
    readonly bytes: number;
    readonly tokens: number;
    readonly pathBits: number;
  };
  readonly train: object;
  readonly trainedOn?: readonly { readonly density: number; readonly pattern?: string }[];
  readonly rows: readonly (object & {
    readonly way: string;
    readonly density: number;
    readonly pattern?: string;
    readonly trained?: number;
    readonly bitsPerByte: number;
  })[];
  readonly firing?: object;
  readonly l1: readonly object[];
}

const MODELS = 'labs/language/public/models';
const GOLDENS = 'labs/language/test/decoders';
const [out = ''] = process.argv.slice(2);
const date = new Date().toISOString().slice(0, 10);

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
const writeJson = (path: string, value: unknown): void => writeFileSync(path, `${JSON.stringify(value, null, 1)}\n`);

/** The number of texts that break no law of tales, and how often each law is the first that a text breaks. */
function judgeTexts(texts: readonly WrittenText[]): object {
  const firstBroken: Record<string, number> = {};
  let unbroken = 0;
  for (const { text, ended } of texts) {
    // A text that has not ended at the end of the context is no tale.
    const law = judge(text, { unfinished: !ended }).broken?.law ?? (ended ? null : 'end');
    if (law === null) unbroken++;
    else firstBroken[law] = (firstBroken[law] ?? 0) + 1;
  }
  return { judged: texts.length, unbroken, firstBroken };
}

const testTales = readFileSync(join(out, 'test.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { text: string }).text);
/** The exact bits of every test tale in the grammar: on average no model can need fewer. */
const exactTaleBits = testTales.map((text) => {
  const { bits, complete } = exactBits(text);
  if (!complete) throw new Error('the search for the floor was stopped early');
  return bits;
});

/** Copies a model to the site, and writes its quality.json and provenance.json. */
function publish(model: string, results: Results, quality: object, training: object): void {
  const folder = join(MODELS, model);
  mkdirSync(folder, { recursive: true });
  const sha256: Record<string, string> = {};
  for (const name of ['config.json', 'model.safetensors', 'tokenizer.json']) {
    copyFileSync(join(out, model, name), join(folder, name));
    sha256[name] = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  }
  writeJson(join(folder, 'quality.json'), quality);
  writeJson(join(folder, 'provenance.json'), {
    what: 'A small Llama trained on tales of this project, see labs/language/docs/language.md.',
    licence: 'that of this project',
    script: 'labs/language/scripts/train-tales/run.sh',
    date,
    seed: 1,
    parameters: results.parameters,
    device: results.device,
    torch: results.torch,
    training,
    sha256,
  });
}

// Every trained model, with its results and texts.
for (const file of readdirSync(out).filter((name) => /^results-.*\.json$/.test(name))) {
  const results = readJson<Results>(join(out, file));
  const { model, test: measured } = results;
  const texts = JSON.parse(gunzipSync(readFileSync(join(out, `texts-${model}.json.gz`))).toString()) as WrittenText[][];
  const rows = results.rows.map((row, i) => ({ ...row, ...judgeTexts(texts[i] ?? []) }));
  const bits = measured.kept.reduce((sum, i) => sum + exactTaleBits[i], 0);
  const { tales, bytes, tokens } = measured;
  const about = {
    schema: 1,
    date,
    tales,
    bytes,
    tokens,
    floor: { exact: bits / bytes, path: measured.pathBits / bytes },
  };
  const { firing, l1 } = results;
  publish(model, results, { ...about, model, rows }, results.train);
  if (firing) writeJson(join(MODELS, model, 'firing.json'), { ...about, model, ...firing, l1 });
  // The model that was trained further after pruning: its quality.json contains only the rows of its density.
  const pruned = `${model}-pruned`;
  if (existsSync(join(out, pruned, 'config.json'))) {
    const retrained = results.trainedOn?.findLast(({ pattern }) => pattern === undefined);
    const prunedRows = rows.filter(
      (row) => row.trained !== undefined && row.pattern === undefined && row.density === retrained?.density,
    );
    publish(pruned, results, { ...about, model: pruned, rows: prunedRows }, { from: model, ...retrained });
  }
  for (const row of rows) console.log(model, JSON.stringify(row));
}

// The golden files of tests (golden.py).
const golden = join(out, 'golden');
mkdirSync(GOLDENS, { recursive: true });
for (const entry of readdirSync(golden, { withFileTypes: true })) {
  if (!entry.isDirectory()) {
    copyFileSync(join(golden, entry.name), join(GOLDENS, entry.name));
    continue;
  }
  mkdirSync(join(GOLDENS, entry.name), { recursive: true });
  for (const name of ['config.json', 'model.safetensors', 'logits.npy', 'ids.json']) {
    const from = join(golden, entry.name, name);
    if (existsSync(from)) copyFileSync(from, join(GOLDENS, entry.name, name));
  }
}

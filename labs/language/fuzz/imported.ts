// Fuzzes the import of a language model: files of valid models with a few bytes changed, or truncated.

import { CancelledError, ReadError } from '../../../src/core/errors.ts';
import type { Job } from '../../../src/core/job.ts';
import type { Random } from '../../../src/core/number/random.ts';
import { fileSource } from '../../../src/io/index.ts';
import { openModel, modelPlan } from '../decoders/open/open-model.ts';
import { readAllWeights } from '../decoders/read/decoder-weights.ts';
import { byteTokenizer } from '../test/decoders.ts';
import { ggufModel, scoredVocabulary } from '../test/models/gguf.ts';
import { ARCHITECTURES, makeModel, safetensorsOf, sharded } from '../test/models/make.ts';
import { pick } from '../../../fuzz/pieces.ts';
import { defineTarget, type Fault, SILENT_STEPS } from '../../../fuzz/target.ts';
import { errorFault } from '../../../fuzz/words.ts';

/** A changed byte of a file, or the offset at which the file is truncated. */
interface Edit {
  readonly file: string;
  readonly at: number;
  /** null: the file ends here */
  readonly byte: number | null;
}

/** The folder of a model with some bytes changed. */
interface Case {
  readonly folder: string;
  readonly edits: readonly Edit[];
}

type Files = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

const jsonBytes = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value));
const vocabulary = scoredVocabulary();

/** Valid models, by the name of their folder. */
const FOLDERS: Readonly<Record<string, Files>> = {
  ...Object.fromEntries(
    ['llama', 'qwen2', 'opt', 'gpt2'].map((architecture) => {
      const model = makeModel(ARCHITECTURES[architecture], 1);
      const otherFiles = { 'config.json': jsonBytes(model.config), 'tokenizer.json': jsonBytes(byteTokenizer()) };
      const weights = architecture === 'qwen2' ? sharded(model) : { 'model.safetensors': safetensorsOf(model) };
      return [architecture, { ...otherFiles, ...weights }];
    }),
  ),
  gguf: {
    'tiny.gguf': ggufModel(
      {
        'general.architecture': 'llama',
        'llama.embedding_length': 24,
        'llama.feed_forward_length': 40,
        'llama.block_count': 1,
        'llama.attention.head_count': 4,
        'llama.context_length': 64,
        'llama.attention.layer_norm_rms_epsilon': 0.00001,
        'tokenizer.ggml.model': 'llama',
        'tokenizer.ggml.tokens': vocabulary.map((token) => token.text),
        'tokenizer.ggml.scores': vocabulary.map(({ score }) => score + 0.5),
      },
      [{ name: 'output_norm.weight', kind: 0, shape: [24], bytes: new Uint8Array(96) }],
    ),
  },
};

/** Maximum number of changed bytes. */
const MAX_EDITS = 6;
/** Three quarters of the changes are in this many first bytes, which contain the headers. */
const HEADER_BYTES = 4096;

/** Returns the files with the edits applied. */
function edited(files: Files, edits: readonly Edit[]): Files {
  const changed: Record<string, Uint8Array<ArrayBuffer>> = { ...files };
  for (const { file, at: offset, byte } of edits) {
    const bytes = changed[file];
    if (bytes === undefined) continue;
    changed[file] = byte === null ? bytes.slice(0, offset) : bytes.slice();
    if (byte !== null && offset < bytes.length) changed[file][offset] = byte;
  }
  return changed;
}

const SILENT_JOB: Job = { report: () => {}, cancelled: false };

/** Checks that an import succeeds with whole positive sizes and finite weights, or is rejected with a ReadError. */
async function check({ folder, edits }: Case): Promise<Fault | null> {
  const files = edited(FOLDERS[folder], edits);
  const source = (name: string) => (name in files ? fileSource({ name, bytes: files[name] }) : null);
  const mainFile = Object.keys(files).find((name) => name.startsWith('tiny.'));
  try {
    const openedModel = await openModel(
      {
        from: 'a fuzzer',
        name: folder,
        main: mainFile === undefined ? null : source(mainFile),
        file: async (name) => source(name),
      },
      SILENT_JOB,
    );
    const plan = modelPlan(openedModel);
    const numbers = [plan.bytes, plan.memoryBytes, plan.weights, plan.config.context, plan.config.vocabulary];
    if (!numbers.every((n) => Number.isSafeInteger(n) && n > 0)) {
      return { law: 'a plan is of whole numbers', message: JSON.stringify(numbers) };
    }
    const tokens = await openedModel.readTokens(SILENT_JOB);
    tokens.encode('the cat');
    const weights = await readAllWeights(openedModel.config, openedModel.weights, SILENT_JOB);
    const isFinite = weights.embedding.every(Number.isFinite);
    return isFinite ? null : { law: 'weights are finite', message: folder };
  } catch (error) {
    return error instanceof CancelledError ? null : errorFault(error, ReadError);
  }
}

/** The target 'brought': folders of imported models with damaged contents. */
export const importedTarget = defineTarget<Case>({
  id: 'brought',
  unit: 'folders',
  share: 0.05,
  maxSteps: SILENT_STEPS,
  generate(random: Random) {
    const folder = pick(random, Object.keys(FOLDERS));
    const edits = Array.from({ length: 1 + random.below(MAX_EDITS) }, (): Edit => {
      const file = pick(random, Object.keys(FOLDERS[folder]));
      const { length } = FOLDERS[folder][file];
      const position = random.below(random.below(4) === 0 ? length : Math.min(HEADER_BYTES, length));
      return { file, at: position, byte: random.below(8) === 0 ? null : random.below(256) };
    });
    return { folder, edits };
  },
  check,
  *smaller({ folder, edits }) {
    for (let i = 0; i < edits.length; i++) yield { folder, edits: edits.filter((_, index) => index !== i) };
  },
  toJson: (c) => c,
  fromJson(value) {
    const { folder, edits } = value as Case;
    if (!(folder in FOLDERS)) throw new TypeError(`${folder}: found no such folder`);
    return { folder, edits };
  },
});

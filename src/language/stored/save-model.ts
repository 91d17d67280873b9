import { MODEL_BOUNDS } from '../../core/bounds/bounds.ts';
import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { readBytes } from '../../io/source.ts';
import { safetensorsHead } from '../../io/write/write-safetensors.ts';
import { type ZippedFile, zippedBytes, zipStream } from '../../io/write/zip-stream.ts';
import {
  blockMatrices,
  type BlockMatrix,
  blockMatrixShape,
  type DecoderConfig,
  type DecoderWeights,
} from '../decoder.ts';
import type { OpenedModel } from '../open/open-model.ts';
import { partName } from '../read/layouts.ts';
import { densityAt, type Recipe, recipeAt } from './recipe.ts';
import { savedTensors, tensorBytes } from './saved-tensors.ts';

/** What a saved model says of its origin. */
export interface SavedFrom {
  /** of the model, as the page calls it */
  readonly model: string;
  /** where its files were */
  readonly from: string;
  /** of those files, in hexadecimal, where it is known */
  readonly sha256: Readonly<Record<string, string>> | null;
  /** ISO 8601 */
  readonly date: string;
}

/** A model on its way to a file. */
interface ModelFile {
  /** of the archive, but for a few digits of its manifest, which counts weights that only pruning tells */
  readonly bytes: number;
  /** the pieces of a zip archive. Throws ReadError and SparseScopeError with found and expected, and CancelledError. */
  chunks(weights: DecoderWeights, job: Job): AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Files of the archive, in their order. */
const NAMES = ['config.json', 'tokenizer.json', 'manifest.json', 'model.safetensors'] as const;

/** Fields of a config.json about weights that are stored sparse; what is saved is dense. */
const STORED_SPARSE = ['quantization_config', 'compression_config'];

/**
 * A model as a folder of the Hugging Face hub in a zip archive: model.safetensors, dense with zeros, under the names and in the
 * shapes of its own file, config.json and tokenizer.json, and manifest.json, which says what was done to it. Tensors are written
 * one at a time. Throws ReadError for a model that did not come as safetensors.
 */
export function modelFile(opened: OpenedModel, recipe: Recipe, from: SavedFrom): ModelFile {
  const { asSafetensors, config, source } = opened;
  if (asSafetensors === null) {
    throw new ReadError(
      `${config.name}: found a model in ${source.kind}, expected safetensors, whose names can be kept`,
    );
  }
  const { container, configText, tokenizer } = asSafetensors;
  const tensors = savedTensors(config, container, recipe);
  const { calibration, ...rest } = recipe;
  const described = calibration === undefined ? rest : { ...rest, calibrationCharacters: calibration.length };
  const metadata = { format: 'pt', model: from.model, recipe: JSON.stringify(described), date: from.date };
  const head = safetensorsHead(tensors, metadata);
  const weightBytes = tensors.reduce((sum, { bytes }) => sum + bytes, head.length);
  const dtypes = new Set(tensors.map(({ type }) => type));
  const savedConfig = configOf(configText, savedName(config.name, recipe), dtypes.has('F32') ? 'float32' : null);
  const manifestOf = (matrices: readonly object[]): Uint8Array<ArrayBuffer> =>
    inBytes({ kind: 'pruned model', version: 1, ...from, recipe: described, matrices });
  const sizes = [savedConfig.length, tokenizer.size, manifestOf(expectedMatrices(config, recipe)).length, weightBytes];
  return {
    bytes: zippedBytes(NAMES.map((name, i) => ({ name, bytes: sizes[i] }))),
    async *chunks(weights, job) {
      const manifest = manifestOf(matricesOf(config, weights));
      async function* safetensors(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
        yield head;
        yield* tensorBytes(tensors, weights, opened.weights, job);
      }
      const tokenizerBytes = await readBytes(tokenizer, 0, tokenizer.size);
      const files: readonly ZippedFile[] = [
        whole(NAMES[0], savedConfig),
        whole(NAMES[1], new Uint8Array(tokenizerBytes)),
        whole(NAMES[2], manifest),
        { name: NAMES[3], bytes: weightBytes, chunks: safetensors() },
      ];
      yield* zipStream(files, new Date(from.date));
    },
  };
}

function whole(name: string, bytes: Uint8Array<ArrayBuffer>): ZippedFile {
  return { name, bytes: bytes.length, chunks: [bytes] };
}

/** config.json for dense weights, under another name; `dtype`, if any, is the type that loses nothing. */
function configOf(text: string, name: string, dtype: string | null): Uint8Array<ArrayBuffer> {
  const fields = Object.entries(JSON.parse(text) as Record<string, unknown>);
  const kept = Object.fromEntries(fields.filter(([field]) => !STORED_SPARSE.includes(field)));
  return inBytes({ ...kept, _name_or_path: name, ...(dtype !== null && { torch_dtype: dtype }) });
}

/** By which it is told from the model that it was: 'Tiny magnitude 0.6 i4'. */
function savedName(name: string, { pruning, valueType, own = [] }: Recipe): string {
  const way =
    pruning.way === 'n-of-m'
      ? `${pruning.kept}:${pruning.group}`
      : pruning.way === 'none'
        ? ''
        : `${pruning.way} ${typeof pruning.density === 'number' ? pruning.density : 'mixed'}`;
  const added = [way, valueType === 'f16' ? '' : valueType, own.length > 0 ? 'mixed' : ''].filter(Boolean).join(' ');
  return added === '' ? name : `${name.slice(0, MODEL_BOUNDS.name - added.length - 1)} ${added}`;
}

function inBytes(json: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${JSON.stringify(json, null, 1)}\n`);
}

/** About what will be left of every matrix, before it is pruned. */
function expectedMatrices(config: DecoderConfig, recipe: Recipe): readonly object[] {
  return Array.from({ length: config.layers }, (_, layer) => layer).flatMap((layer) =>
    blockMatrices(config).map((matrix) => {
      const [rows, cols] = blockMatrixShape(config, matrix);
      const nonZeros = Math.round(rows * cols * densityAt(recipeAt(recipe, layer, matrix).pruning, layer, matrix));
      return matrixEntry(layer, matrix, nonZeros, rows * cols);
    }),
  );
}

/** What is left of every matrix. */
function matricesOf(config: DecoderConfig, { blocks }: DecoderWeights): readonly object[] {
  return blocks.flatMap(({ matrices }, layer) =>
    blockMatrices(config).map((matrix) => {
      const cells = matrices[matrix];
      let nonZeros = 0;
      for (const cell of cells) if (cell !== 0) nonZeros++;
      return matrixEntry(layer, matrix, nonZeros, cells.length);
    }),
  );
}

function matrixEntry(layer: number, matrix: BlockMatrix, nonZeros: number, cells: number): object {
  return { name: partName({ of: 'weight', layer, matrix }), nonZeros, cells, density: nonZeros / cells };
}

import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { readBytes } from '../../io/source.ts';
import { safetensorsHead } from '../../io/write/write-safetensors.ts';
import { type ZippedFile, zipStream } from '../../io/write/zip-stream.ts';
import { blockMatrices, type DecoderConfig, type DecoderWeights } from '../decoder.ts';
import type { OpenedModel } from '../open/open-model.ts';
import { partName } from '../read/layouts.ts';
import type { Recipe } from './recipe.ts';
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
  /** about: headers of the archive are not counted */
  readonly bytes: number;
  /** the pieces of a zip archive. Throws ReadError and SparseScopeError with found and expected, and CancelledError. */
  chunks(weights: DecoderWeights, job: Job): AsyncIterable<Uint8Array<ArrayBuffer>>;
}

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
      `${from.model}: found a model in ${source.kind}, expected safetensors, whose names can be kept`,
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
  const savedConfig = configOf(configText, dtypes.has('F32') ? 'float32' : null);
  return {
    bytes: weightBytes + tokenizer.size + savedConfig.length,
    async *chunks(weights, job) {
      const manifest = inBytes({
        kind: 'pruned model',
        version: 1,
        ...from,
        recipe: described,
        matrices: matricesOf(config, weights),
      });
      async function* safetensors(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
        yield head;
        yield* tensorBytes(tensors, weights, opened.weights, job);
      }
      const tokenizerBytes = await readBytes(tokenizer, 0, tokenizer.size);
      const files: readonly ZippedFile[] = [
        whole('config.json', savedConfig),
        whole('tokenizer.json', new Uint8Array(tokenizerBytes)),
        whole('manifest.json', manifest),
        { name: 'model.safetensors', bytes: weightBytes, chunks: safetensors() },
      ];
      yield* zipStream(files, new Date(from.date));
    },
  };
}

function whole(name: string, bytes: Uint8Array<ArrayBuffer>): ZippedFile {
  return { name, bytes: bytes.length, chunks: [bytes] };
}

/** config.json for dense weights; `dtype`, if any, is the type that loses nothing. */
function configOf(text: string, dtype: string | null): Uint8Array<ArrayBuffer> {
  const fields = Object.entries(JSON.parse(text) as Record<string, unknown>);
  const kept = Object.fromEntries(fields.filter(([name]) => !STORED_SPARSE.includes(name)));
  return inBytes(dtype === null ? kept : { ...kept, torch_dtype: dtype });
}

function inBytes(json: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${JSON.stringify(json, null, 1)}\n`);
}

/** What is left of every matrix. */
function matricesOf(config: DecoderConfig, { blocks }: DecoderWeights): readonly object[] {
  return blocks.flatMap(({ matrices }, layer) =>
    blockMatrices(config).map((matrix) => {
      const cells = matrices[matrix];
      let nonZeros = 0;
      for (const cell of cells) if (cell !== 0) nonZeros++;
      return {
        name: partName({ of: 'weight', layer, matrix }),
        nonZeros,
        cells: cells.length,
        density: nonZeros / cells.length,
      };
    }),
  );
}

import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { bf16FromF32Bits, bf16Value, f16FromF32Bits, f16Value } from '../../core/number/index.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import type { Container } from '../../io/archives/container.ts';
import type { DecoderConfig, DecoderWeights } from '../decoder.ts';
import type { WeightReader } from '../read/decoder-weights.ts';
import { findLayout, type Part, partName, partsOf, type StoredPart } from '../read/layouts.ts';
import { type Recipe, recipeAt } from './recipe.ts';

type SavedType = 'F32' | 'F16' | 'BF16';

/** A tensor of a model that is saved, by its own name and shape. */
interface SavedTensor {
  readonly name: string;
  readonly type: SavedType;
  readonly shape: readonly number[];
  readonly cells: number;
  readonly bytes: number;
  /** what it is made of: several where a file holds them as one */
  readonly parts: readonly { readonly part: Part; readonly stored: StoredPart }[];
}

/** Cells between two looks at the clock. */
const AT_ONCE = 2 ** 18;

/**
 * The tensors of a model under the names and in the shapes of its own file, dense. Those that nothing changes keep their type;
 * what is pruned is f16 or bf16 as it was, f16 where it was wider, and f32 where it is rounded to i8 or i4, whose products with
 * a scale no 16 bits hold. Wider types come first, which aligns them.
 */
export function savedTensors(config: DecoderConfig, container: Container, recipe: Recipe): readonly SavedTensor[] {
  const types = new Map(container.tensors.map(({ name, dtype }) => [name, dtype.replace(/, bitmask$/, '')]));
  const layout = findLayout(new Set(types.keys()));
  const tensors = new Map<string, SavedTensor>();
  for (const part of partsOf(config)) {
    const stored = layout.stored(config, part);
    const { name, shape } = stored;
    const cells = shape.reduce((product, n) => product * n, 1);
    const parts = [...(tensors.get(name)?.parts ?? []), { part, stored }];
    const type = savedType(
      types.get(name) ?? '',
      parts.map(({ part: one }) => changeOf(one, recipe)),
    );
    tensors.set(name, { name, type, shape, cells, bytes: cells * (type === 'F32' ? 4 : 2), parts });
  }
  return [...tensors.values()].toSorted((a, b) => b.bytes / b.cells - a.bytes / a.cells);
}

/** What a recipe does to the values of a part. */
function changeOf(part: Part, recipe: Recipe): 'none' | 'pruned' | 'rounded' {
  if (part.of !== 'weight') return 'none';
  const { pruning, valueType } = recipeAt(recipe, part.layer, part.matrix);
  if (valueType !== 'f16') return 'rounded';
  return pruning.way === 'none' ? 'none' : 'pruned';
}

/** `changes`: those of its parts, whose type is one. */
function savedType(dtype: string, changes: readonly ReturnType<typeof changeOf>[]): SavedType {
  if (changes.includes('rounded')) return 'F32';
  if (dtype === 'bf16') return 'BF16';
  return dtype === 'f16' || changes.includes('pruned') ? 'F16' : 'F32';
}

/**
 * The bytes of each tensor, one after the other. What the model reads is taken from `weights`, the rest of a tensor from the
 * file: OPT's first positions, say. Throws ReadError if a value does not fit its type exactly, and CancelledError. Memory: the
 * largest tensor, as it is saved and, unless it is a part as it is, in f32.
 */
export async function* tensorBytes(
  tensors: readonly SavedTensor[],
  weights: DecoderWeights,
  reader: Pick<WeightReader, 'readWhole'>,
  job: Job,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const total = tensors.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const pacer = new Pacer();
  for (const tensor of tensors) {
    const cells = await cellsOf(tensor, weights, reader, job);
    const bytes = new Uint8Array(tensor.bytes);
    for (let from = 0; from < tensor.cells; from += AT_ONCE) {
      throwIfCancelled(job);
      const to = Math.min(tensor.cells, from + AT_ONCE);
      encode(tensor, cells, bytes, from, to);
      job.report({ what: tensor.name, done: done + (to / tensor.cells) * tensor.bytes, total });
      await pacer.breathe();
    }
    done += tensor.bytes;
    yield bytes;
  }
}

async function cellsOf(
  { name, cells, parts }: SavedTensor,
  weights: DecoderWeights,
  reader: Pick<WeightReader, 'readWhole'>,
  job: Job,
): Promise<Float32Array> {
  const [{ part, stored }] = parts;
  if (!stored.take) return partCells(weights, part);
  if (!stored.put) return reader.readWhole(name, job);
  const whole = new Float32Array(cells);
  for (const one of parts) one.stored.put?.(partCells(weights, one.part), whole);
  return whole;
}

function partCells(weights: DecoderWeights, part: Part): Float32Array {
  const found = partOf(weights, part);
  if (!found) throw new ReadError(`${partName(part)}: found nothing, expected a tensor`);
  return found;
}

function partOf(weights: DecoderWeights, part: Part): Float32Array | undefined {
  switch (part.of) {
    case 'embedding':
    case 'head':
    case 'positions':
    case 'finalNorm':
    case 'finalNormBias':
      return weights[part.of];
    case 'attentionNorm':
    case 'feedForwardNorm':
      return weights.blocks[part.layer][part.of];
    case 'attentionNormBias':
      return weights.blocks[part.layer].normBiases?.attention;
    case 'feedForwardNormBias':
      return weights.blocks[part.layer].normBiases?.feedForward;
    case 'weight':
      return weights.blocks[part.layer].matrices[part.matrix];
    case 'bias':
      return weights.blocks[part.layer].biases[part.matrix];
  }
}

/** Little endian, whatever the machine. */
function encode(
  { name, type }: SavedTensor,
  cells: Float32Array,
  to: Uint8Array<ArrayBuffer>,
  from: number,
  end: number,
): void {
  const view = new DataView(to.buffer);
  const bits = new Uint32Array(cells.buffer, cells.byteOffset, cells.length);
  for (let i = from; i < end; i++) {
    if (type === 'F32') {
      view.setUint32(4 * i, bits[i], true);
      continue;
    }
    const half = type === 'F16' ? f16FromF32Bits(bits[i]) : bf16FromF32Bits(bits[i]);
    const back = type === 'F16' ? f16Value(half) : bf16Value(half);
    if (!Object.is(back, cells[i])) {
      throw new ReadError(`${name}: found ${cells[i]} in cell ${i}, expected a value that ${type} holds exactly`);
    }
    view.setUint16(2 * i, half, true);
  }
}

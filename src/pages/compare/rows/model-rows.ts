import { BYTE_CLASSES } from '../../../core/encoded/ledger.ts';
import type { Placement, Shape } from '../../../core/format.ts';
import { paramFields, exampleInstead } from '../../../state/index.ts';
import type { BenchReport } from '../../../core/report.ts';
import { DENSE_BYTES_PER_WEIGHT, modelBytes, type ModelFormat } from '../../../theory/models/model-bytes.ts';
import { expectedBytes, probablySupports, expectedBytesByClass } from '../../../theory/expected-bytes.ts';
import { turningPoint } from '../../../theory/crossings.ts';
import { embeddingWeights, kernelStarts, type ModelShape, shapeGroups } from '../../../theory/models/model-shape.ts';
import { tokenSpeedAt, type TokenSpeed, tokenSpeeds } from '../../../theory/models/token-speeds.ts';
import { densityText } from '../../../kit/words/shares.ts';
import { computes } from '../../../kit/report/operation-words.ts';
import { isForWeights } from '../model/model-formats.ts';
import { operationFor } from '../model/model-request.ts';
import { prefillGain, prefillGainText } from '../../../papers/whole-gains.ts';
import { modelView, type ModelView, type DeviceSpeed } from '../model/model-view.ts';
import { type CompareRow, type ModelComparison, type Part, type Role, ROLES, UNKNOWN_ROW } from './compare-row.ts';
import { tokenBoundNs } from '../../../kit/report/time-bound.ts';
import type { MatrixRowsInput } from './matrix-rows.ts';
import { type StoredVariant, storedVariantOf } from './stored-variants.ts';

/** Bytes of a whole matrix of a shape, estimated from an encoding of its first rows, by 'ROWSxCOLS'. */
export type SampledBytes = ReadonlyMap<string, number>;

/** What the rows of a whole model are computed from. */
export interface ModelRowsInput extends Pick<MatrixRowsInput, 'variants' | 'summary' | 'examples'> {
  readonly model: ModelShape;
  readonly fusion: ModelFormat['fusion'];
  readonly keepHead: boolean; // lm_head stays dense
  /** density, above 0 */
  readonly density: number;
  readonly placement: Placement; // even: after N:M pruning
  readonly tokens: number;
  /** dense f16, and dense in the fewest bits */
  readonly reference: StoredVariant;
  readonly smallest: StoredVariant;
  readonly reports: readonly BenchReport[];
  readonly device: string; // name of the device of `reports`
  /** the device's read speed and dispatch time, which bound times from below; null if unknown */
  readonly deviceSpeed: DeviceSpeed | null;
  /** speeds of whole tokens measured here, besides recorded ones */
  readonly measuredHere: readonly TokenSpeed[];
  /** for formats without a closed form: the estimated bytes of each shape, by the row's key */
  readonly sampled: ReadonlyMap<string, SampledBytes>;
}

/** The rows of Compare's table for a whole model, one per variant: bytes by closed forms, times summed over shapes. */
export function modelRows(input: ModelRowsInput): readonly CompareRow[] {
  const minBytes = modelBytes(input.model, storageOf(input.smallest, input))?.stored ?? null;
  return input.variants.map((variant) => modelRow(variant, minBytes, input));
}

/** One row. `minBytes`: bytes of the model in dense with the fewest bits. */
function modelRow(variant: StoredVariant, minBytes: number | null, input: ModelRowsInput): CompareRow {
  const { model, density, placement, examples, summary } = input;
  const { format, stored } = variant;
  const row: CompareRow = { ...variant, ...UNKNOWN_ROW, isExpected: true };
  if (!isForWeights(format)) {
    const gain = prefillGain(model.name, format.id);
    return {
      ...row,
      state: 'refused',
      why: gain ? prefillGainText(gain) : 'Stores activations, not weights.',
      ...(gain && { gain }),
      remedy: exampleInstead(format, summary.source, examples),
    };
  }
  const storage = storageOf(variant, input);
  const prunedGroups = shapeGroups(model, storage).filter(({ keptDense }) => !keptDense);
  const pattern = format.requiredPruning?.(stored.params) ?? null;
  if (!prunedGroups.every((group) => probablySupports(storage, density, group, 'even'))) {
    return {
      ...row,
      state: 'refused',
      needs: pattern && patternText(pattern),
      why: pattern
        ? `Needs at most ${pattern.kept} weights in every ${pattern.group}, but ${densityText(density)} of the weights remain.`
        : 'Cannot store this many weights.',
      remedy: pattern && { kind: 'prune', ...pattern },
    };
  }
  const bytes = modelBytes(model, storage);
  // Without a closed form, the bytes are estimated from encodings of the first rows, once these are made.
  if (bytes === null) {
    const bytesByShape = input.sampled.get(variant.key);
    if (!bytesByShape) return { ...row, state: 'open', why: 'Its size depends on the matrix.' };
    const denseGroups = shapeGroups(model, storage).filter((group) => group.keptDense);
    const denseBytes = denseGroups.reduce(
      (sum, { rows, cols, count }) => sum + rows * cols * count * DENSE_BYTES_PER_WEIGHT,
      0,
    );
    const sampledBytes = ({ rows, cols }: Shape): number => bytesByShape.get(`${rows}x${cols}`) ?? 0;
    const encodedBytes = prunedGroups.reduce((sum, group) => sum + sampledBytes(group) * group.count, 0);
    const embeddingBytes = embeddingWeights(model) * DENSE_BYTES_PER_WEIGHT;
    const readBytes =
      prunedGroups.reduce((sum, group) => sum + sampledBytes(group) * group.active, 0) +
      denseGroups.reduce((sum, { rows, cols, active }) => sum + rows * cols * DENSE_BYTES_PER_WEIGHT * active, 0);
    return {
      ...row,
      state: 'known',
      needs: needsText(variant, input),
      bytes: encodedBytes + denseBytes + embeddingBytes,
      readBytes,
      parts: [{ role: 'kept', bytes: denseBytes + embeddingBytes }],
      minNs: minTokenNs(readBytes, input),
      why: 'From first rows of random matrices.',
    };
  }
  const view = viewOf(variant, input);
  return {
    ...row,
    state: 'known',
    bytes: bytes.stored,
    readBytes: bytes.readStored,
    parts: modelParts(variant, input),
    needs: needsText(variant, input),
    minNs: minTokenNs(bytes.readStored, input),
    measuredNs: view?.storedTime?.from === 'measured' ? view.storedTime.ns : null,
    ...wholeTokenTime(variant, input),
    ...(minBytes !== null &&
      !keepsAll(variant, input) && { evenWithI4: largestDensityWithin(storage, model, minBytes) }),
    remedy: pattern && placement === 'independent' ? { kind: 'prune', ...pattern } : null,
  };
}

/** The measured time of a whole token, with a dense lm_head; null if there is none, and for a single layer. */
function wholeTokenTime(variant: StoredVariant, input: ModelRowsInput): Pick<CompareRow, 'tokenNs' | 'matricesNs'> {
  const { model, keepHead, density, tokens, device, measuredHere } = input;
  if (model.vocabulary === 0 || !keepHead || tokens > 1) return { tokenNs: null };
  const query = { model: model.name, format: variant.format.id, params: variant.stored.params, device };
  const speed = tokenSpeedAt(tokenSpeeds(query, measuredHere), keepsAll(variant, input) ? 1 : density);
  if (speed === null) return { tokenNs: null };
  const { tokensPerSecond, matricesNs } = speed;
  return { tokenNs: 1e9 / tokensPerSecond, ...(matricesNs !== undefined && { matricesNs }) };
}

/** Lower bound on the time of a token, by the bytes read; null for several tokens, where arithmetic counts too. */
function minTokenNs(
  readBytes: number,
  { deviceSpeed, tokens }: Pick<ModelRowsInput, 'deviceSpeed' | 'tokens'>,
): number | null {
  return tokens > 1 ? null : tokenBoundNs(readBytes, deviceSpeed);
}

/** Kernels that a token starts, and the time of an empty dispatch for each; null where no bound is shown. */
export function tokenStarts({ model, fusion, tokens, deviceSpeed }: ModelRowsInput): ModelComparison['starts'] {
  if (tokens > 1 || !deviceSpeed?.dispatchNs) return null;
  const count = kernelStarts(model, fusion);
  return { count, ns: count * deviceSpeed.dispatchNs };
}

/** The model in one format, shape by shape; null without a closed form. */
export function viewOf(variant: StoredVariant, input: ModelRowsInput): ModelView | null {
  const { model, density, tokens, reports, device, deviceSpeed, reference } = input;
  const operation = operationFor(tokens);
  const query = {
    operation,
    tokens,
    stored: variant.stored,
    dense: reference.stored,
    hasKernel: computes(variant.format, operation, variant.stored.params, tokens),
    device,
    density,
  };
  return modelView(model, storageOf(variant, input), reports, query, deviceSpeed);
}

/** How the model is stored in a row: format, parameters, fused and dense matrices, and the density. */
function storageOf({ format, stored }: StoredVariant, { fusion, keepHead, density }: ModelRowsInput) {
  return { format, params: stored.params, fusion, keepHead, density };
}

/** Whether the bytes of a variant do not depend on the density, so that it needs no pruning. */
function keepsAll(variant: StoredVariant, input: ModelRowsInput): boolean {
  if (variant.format.requiredPruning) return false;
  const [group] = shapeGroups(input.model);
  const bytesAt = (density: number): number | null => expectedBytes(storageOf(variant, input), density, group);
  const bytes = bytesAt(input.density);
  return bytes !== null && bytes === bytesAt(1);
}

/** The pruning that a row presumes: 'no pruning', '50 % left', '2 of every 4'. */
function needsText(variant: StoredVariant, input: ModelRowsInput): string {
  const { summary, density, placement } = input;
  if (density === 1 || keepsAll(variant, input)) return 'no pruning';
  const pattern = variant.format.requiredPruning?.(variant.stored.params);
  if (placement === 'independent' && pattern) return patternText(pattern);
  const { source } = summary;
  if (source.kind === 'pruned' && source.pruning.way === 'n-of-m') return patternText(source.pruning);
  return `${densityText(density)} left`;
}

function patternText({ kept, group }: { readonly kept: number; readonly group: number }): string {
  return `${kept} of every ${group}`;
}

/** Bytes by purpose over all matrices. A format that stores every cell counts as unpruned, without zeros. */
function modelParts(variant: StoredVariant, input: ModelRowsInput): readonly Part[] {
  const { model, fusion, keepHead } = input;
  const density = keepsAll(variant, input) ? 1 : input.density;
  const sums: Record<Role, number> = {
    kept: embeddingWeights(model) * DENSE_BYTES_PER_WEIGHT,
    values: 0,
    indices: 0,
    metadata: 0,
    padding: 0,
  };
  for (const { rows, cols, count, keptDense } of shapeGroups(model, { fusion, keepHead })) {
    if (keptDense) {
      sums.kept += rows * cols * count * DENSE_BYTES_PER_WEIGHT;
      continue;
    }
    const parts = expectedBytesByClass(storageOf(variant, input), density, { rows, cols });
    for (const role of BYTE_CLASSES) sums[role] += (parts?.[role] ?? 0) * count;
  }
  return ROLES.map((role) => ({ role, bytes: sums[role] }));
}

/** The largest density at which a model is no larger than `limit` bytes; null if it always is. */
function largestDensityWithin(modelFormat: ModelFormat, model: ModelShape, limit: number): number | null {
  const isLarger = (density: number): boolean =>
    (modelBytes(model, { ...modelFormat, density })?.stored ?? Infinity) > limit;
  if (!isLarger(1)) return 1;
  return isLarger(MIN_DENSITY) ? null : turningPoint(isLarger, MIN_DENSITY, 1);
}

/** The smallest meaningful density of a model. */
const MIN_DENSITY = 0.01;

/** The formats to compare on a model; N:M formats, except A and B (`sides`), in the smallest possible pattern. */
export function suitedVariants(
  variants: readonly StoredVariant[],
  sides: readonly (StoredVariant | null)[],
  density: number,
  shape: Shape,
): readonly StoredVariant[] {
  const suitedByKey = new Map<string, StoredVariant>();
  for (const variant of variants) {
    const isChosen = sides.some((side) => side?.key === variant.key);
    const usable = isChosen || !variant.format.requiredPruning ? variant : smallestPattern(variant, density, shape);
    if (!suitedByKey.has(usable.key)) suitedByKey.set(usable.key, usable);
  }
  return [...suitedByKey.values()];
}

/** The N:M format with the pattern that has the fewest bytes and can store this share of non-zeros. */
function smallestPattern(variant: StoredVariant, density: number, shape: Shape): StoredVariant {
  const { format, stored } = variant;
  let smallest = variant;
  let minBytes = Infinity;
  for (const [name, field] of paramFields(format.params)) {
    if (field.kind !== 'choice' || name === 'valueType') continue;
    for (const { value } of field.options) {
      const params = { ...stored.params, [name]: value };
      const isSupported = probablySupports({ format, params }, density, shape, 'even');
      const bytes = isSupported ? expectedBytes({ format, params }, density, shape) : null;
      if (bytes !== null && bytes < minBytes) {
        smallest = storedVariantOf(format, params, shape);
        minBytes = bytes;
      }
    }
  }
  return smallest;
}

import type { FigureFacts } from '../../../core/story/figure-facts.ts';
import type { RecordedQuality, RecordedRow } from '../../../language/quality/recorded.ts';
import { weightsOf } from '../../../theory/models/model-shape.ts';
import { shippedModel } from '../../../theory/models/shipped-models.ts';
import type { AppDocument } from '../../../state/index.ts';
import { lostBitsPerTale, recordedQuality } from '../../../kit/models/use-quality.ts';
import { type LessonAddress, lessonAddress } from './address.ts';
import { askAbout } from './questions.ts';
import { brokenIn, LAW_GROUPS, rowNamed } from './rows.ts';

/** What a lesson says of a figure, from what was recorded of its model. Rejects with Error where nothing was. */
export async function facts(document: AppDocument): Promise<FigureFacts> {
  const address = lessonAddress(document);
  const quality = await recordedQuality(address.model);
  if (!quality) throw new Error(`quality.json of ${address.model}: found nothing, expected what was measured`);
  return factsOf(address, quality);
}

/** The same, once the recording is there. Throws Error for a model that was not measured. */
export function factsOf({ model, compared }: LessonAddress, quality: RecordedQuality): FigureFacts {
  const shape = shippedModel(model)?.shape;
  for (const name of compared?.rows ?? []) measured(quality, name);
  return {
    caption: `${shape?.name ?? model} · ${compared ? 'measured on tales' : 'a tale that it wrote'}`,
    answers: 'the model',
    number: (name) => (name === 'weights' && shape ? weightsOf(shape) : numberOf(quality, name)),
    ask: (question) => (compared ? askAbout(question, quality, compared.rows) : null),
  };
}

/** A measured model. Throws Error where there is none of this name. */
export function measured(quality: RecordedQuality, name: string): RecordedRow {
  const row = rowNamed(quality, name);
  if (row) return row;
  throw new Error(`x.lesson: found '${name.slice(0, 40)}', expected a model that was measured, such as wanda-60`);
}

/** {weights}, {floor}, {tales}, {dense.bits}, {wanda-60.unbroken}, {wanda-60.spelling}; see CONTRIBUTING.md. */
function numberOf(quality: RecordedQuality, name: string): number | null {
  const { floor, tales, bytes } = quality;
  if (name === 'floor') return floor.exact;
  if (name === 'tales') return tales;
  if (name === 'bytesPerTale') return bytes / tales;
  if (name === 'bitsPerTale') return (floor.exact * bytes) / tales;
  const [, of = '', property = ''] = /^(.+)\.(\w+)$/.exec(name) ?? [];
  const row = rowNamed(quality, of);
  if (!row) return null;
  switch (property) {
    case 'bits':
      return row.bitsPerByte;
    case 'lost':
      return lostBitsPerTale(quality, row.bitsPerByte);
    case 'left':
      return row.density;
    case 'trained':
      return row.trained ?? null;
    case 'unbroken':
      return row.unbroken ?? null;
    case 'broken':
      return row.unbroken === undefined || row.judged === undefined ? null : row.judged - row.unbroken;
    default:
      return LAWS.includes(property) && row.firstBroken ? brokenIn(row, [property]) : null;
  }
}

const LAWS = LAW_GROUPS.flatMap(({ laws }): readonly string[] => laws);

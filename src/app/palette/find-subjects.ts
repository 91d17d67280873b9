import type { AnyListedFormat } from '../../core/format.ts';
import { modelId } from '../../theory/models/model-tree.ts';
import type { ModelShape } from '../../theory/models/model-shape.ts';
import { type AppDocument, baseOf, paramFields, withStored } from '../../state/index.ts';
import type { Device } from '../../state/devices/device.ts';

/** One word of the sentence as words find it. */
export interface SubjectChoice {
  readonly kind: 'model' | 'format' | 'device';
  readonly id: string;
  /** in the command's title: 'Llama-3.1-8B', 'in dense i4', 'on GeForce RTX 4090' */
  readonly title: string;
  readonly set: (doc: AppDocument) => AppDocument;
}

/** Choices of one word or several, all set at once. */
export interface FoundSubject {
  readonly id: string;
  readonly title: string;
  readonly set: (doc: AppDocument) => AppDocument;
}

/** Of a model that comes unpruned, as much is left as most formats are made for. */
const LEFT = 0.5;

/** Most that is listed, and most of a kind that are combined. */
const MAX_FOUND = 8;
const MAX_OF_A_KIND = 16;

/** Every model, every format with each of its value types, and every device. */
export function subjectChoices(
  models: readonly ModelShape[],
  formats: readonly AnyListedFormat[],
  devices: readonly Pick<Device, 'id' | 'label'>[],
): readonly SubjectChoice[] {
  return [
    ...models.map((model): SubjectChoice => {
      const base = { kind: 'model', model: modelId(model) } as const;
      return {
        kind: 'model',
        id: base.model,
        title: model.name,
        set(doc) {
          const pruning =
            doc.source.kind === 'pruned' ? doc.source.pruning : ({ way: 'magnitude', density: LEFT } as const);
          const isOpen = baseOf(doc.source).kind === 'model';
          const source = isOpen && doc.source.kind !== 'pruned' ? base : ({ kind: 'pruned', base, pruning } as const);
          return { ...doc, source, window: null, step: 0 };
        },
      };
    }),
    ...formats.flatMap(valuesOf),
    ...devices.map(({ id, label }): SubjectChoice => ({
      kind: 'device',
      id,
      title: `on ${label}`,
      set: (doc) => ({ ...doc, on: id }),
    })),
  ];
}

function valuesOf(format: AnyListedFormat): readonly SubjectChoice[] {
  const values = paramFields(format.params).find(([name]) => name === 'valueType')?.[1];
  const options = values?.kind === 'choice' ? values.options : [];
  return options.map(({ value }) => ({
    kind: 'format',
    id: `${format.id}-${value}`,
    title: `in ${format.title} ${value}`,
    set: (doc) => withStored(doc, { format: format.id, params: { ...doc.params[format.id], valueType: value } }),
  }));
}

/**
 * What every word of the query is about: at most one model, one format and one device, each named by a word that the
 * others are not. 'llama 4090 i4' finds Llama models in dense i4 on an RTX 4090.
 */
export function findSubjects(choices: readonly SubjectChoice[], query: string): readonly FoundSubject[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const named = choices.flatMap((choice) => {
    const hits = words.map((word) => isNamed(choice.title.toLowerCase(), word));
    return hits.includes(true) ? [{ choice, hits }] : [];
  });
  type Named = (typeof named)[number];
  const ofKind = (kind: SubjectChoice['kind']): readonly (Named | null)[] => {
    const own = named.filter(({ choice }) => choice.kind === kind);
    const max = own.reduce((highest, one) => Math.max(highest, countOf(one)), 0);
    return [null, ...own.filter((one) => countOf(one) === max).slice(0, MAX_OF_A_KIND)];
  };
  const found: (readonly Named[])[] = [];
  for (const model of ofKind('model')) {
    for (const format of ofKind('format')) {
      for (const device of ofKind('device')) {
        const chosen = [model, format, device].filter((one) => one !== null);
        const isComplete = words.every((_word, i) => chosen.some(({ hits }) => hits[i]));
        // A word that two of them have leaves one that says nothing more.
        const areNeeded = chosen.every(({ hits }) =>
          hits.some((hit, i) => hit && chosen.filter((other) => other.hits[i]).length === 1),
        );
        if (isComplete && areNeeded) found.push(chosen);
      }
    }
  }
  return found
    .toSorted((a, b) => a.length - b.length)
    .slice(0, MAX_FOUND)
    .map((chosen) => ({
      id: chosen.map(({ choice }) => choice.id).join(' '),
      title: titleOf(chosen.map(({ choice }) => choice.title).join(' ')),
      set: (doc) => chosen.reduce((now, { choice }) => choice.set(now), doc),
    }));
}

function countOf({ hits }: { readonly hits: readonly boolean[] }): number {
  return hits.filter(Boolean).length;
}

/** Whether a word of the title begins with it; 'llama-3.1' is in the title as it is. */
function isNamed(title: string, word: string): boolean {
  if (word === 'in' || word === 'on') return false;
  return (
    title.split(/[^a-z0-9]+/).some((part) => part.startsWith(word)) || (/[^a-z0-9]/.test(word) && title.includes(word))
  );
}

function titleOf(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}

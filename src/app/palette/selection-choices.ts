import type { AnyListedFormat } from '../../core/format.ts';
import type { App } from '../../kit/app-context.ts';
import type { Command } from '../../kit/command.ts';
import { queryWords, wordSearch } from '../../kit/word-search.ts';
import {
  type AppDocument,
  baseOf,
  sameSource,
  valueTypesOf,
  withChoiceA,
  withSource,
  type Device,
  deviceSearchText,
} from '../../state/index.ts';
import { type ModelShape } from '../../theory/models/model-shape.ts';
import { hubNameOf } from '../../theory/models/known-models.ts';
import { modelId } from '../../theory/models/model-tree.ts';
import { showSelectionBar } from '../selection/requested-item.ts';

/** One choice for a word of the selection bar (model, format or device), as the search finds it. */
export interface SelectionChoice {
  readonly group: 'Model' | 'Format' | 'Device';
  readonly id: string;
  readonly title: string;
  /** joins it to the preceding choice in a title: 'in dense i4', 'on GeForce RTX 4090' */
  readonly joint: '' | 'in ' | 'on ';
  /** further words by which the search finds it */
  readonly searchWords: string;
  readonly set: (doc: AppDocument) => AppDocument;
}

/** Other words for a type of values, as users search for it. */
const VALUE_WORDS: Readonly<Record<string, string>> = {
  f16: 'half, fp16, float16',
  f32: 'single, fp32, float32',
  bf16: 'bfloat16',
  i8: 'int8, 8-bit, 8 bits, quantised, quantized, quantization',
  i4: 'int4, 4-bit, 4 bits, quantised, quantized, quantization',
};

/**
 * Share of weights left in a chosen model if the page's matrix is unpruned and of no model; formats are made for about
 * a half.
 */
const DEFAULT_SHARE_LEFT = 0.5;

/** Maximum number of results, and of choices of a group that are combined. */
const MAX_FOUND = 8;
const MAX_OF_A_GROUP = 16;

/** All choices for the selection bar that the search combines: models, formats with each value type, devices. */
export function selectionChoices(
  models: readonly ModelShape[],
  formats: readonly AnyListedFormat[],
  devices: readonly Pick<Device, 'id' | 'label' | 'kind'>[],
): readonly SelectionChoice[] {
  return [
    ...models.map((model): SelectionChoice => {
      const base = { kind: 'model', model: modelId(model) } as const;
      return {
        group: 'Model',
        id: base.model,
        title: model.name,
        joint: '',
        searchWords: `model llm ${hubNameOf(model) ?? ''}`,
        set(doc) {
          const pruning =
            doc.source.kind === 'pruned'
              ? doc.source.pruning
              : ({ way: 'magnitude', density: DEFAULT_SHARE_LEFT } as const);
          const isOpen = baseOf(doc.source).kind === 'model';
          const source = isOpen && doc.source.kind !== 'pruned' ? base : ({ kind: 'pruned', base, pruning } as const);
          return withSource(doc, source);
        },
      };
    }),
    ...formats.flatMap(formatChoices),
    ...devices.map(({ id, label, kind }): SelectionChoice => ({
      group: 'Device',
      id,
      title: label,
      joint: 'on ',
      searchWords: `${kind} ${deviceSearchText({ label })}`,
      set: (doc) => ({ ...doc, deviceChoice: id }),
    })),
  ];
}

function formatChoices(format: AnyListedFormat): readonly SelectionChoice[] {
  return valueTypesOf(format).map((value) => ({
    group: 'Format',
    id: `${format.id}-${value}`,
    title: `${format.title} ${value}`,
    joint: 'in ',
    searchWords: VALUE_WORDS[String(value)] ?? '',
    set: (doc) => withChoiceA(doc, { format: format.id, params: { ...doc.params[format.id], valueType: value } }),
  }));
}

/** A command that applies one or more choices in one change; if they name another matrix, it is opened first. */
export function commandOfChoices(app: App, choices: readonly SelectionChoice[]): Command {
  const { document, session } = app;
  return {
    id: `set ${choices.map(({ id }) => id).join(' ')}`,
    group: choices[0].group,
    title: choices.map(({ title, joint }, i) => (choices.length > 1 && i > 0 ? joint + title : title)).join(' '),
    searchWords: choices.map(({ searchWords }) => searchWords).join(' '),
    leadsTo: 'the selection',
    run() {
      showSelectionBar(app);
      const before = document.getState();
      const next = choices.reduce((doc, { set }) => set(doc), before);
      if (sameSource(before.source, next.source)) document.setState(next);
      else void session.restore(next);
    },
  };
}

/**
 * Finds combined choices: 'llama 4090 i4' is a Llama model in dense i4 on an RTX 4090. Each choice matches a word that
 * the others do not.
 */
export function selectionFinder(
  choices: readonly SelectionChoice[],
): (query: string) => readonly (readonly SelectionChoice[])[] {
  const find = wordSearch(choices, (choice) => choice);
  return (query) => {
    const words = queryWords(query);
    if (words.length < 2) return [];
    const hitsOf = words.map((word) => new Set(find(word).named));
    const named = choices.flatMap((choice) => {
      const hits = hitsOf.map((hit) => hit.has(choice));
      const count = hits.filter(Boolean).length;
      return count > 0 ? [{ choice, hits, count }] : [];
    });
    type Named = (typeof named)[number];
    const ofGroup = (group: SelectionChoice['group']): readonly (Named | null)[] => {
      const inGroup = named.filter(({ choice }) => choice.group === group);
      const max = inGroup.reduce((highest, candidate) => Math.max(highest, candidate.count), 0);
      return [null, ...inGroup.filter(({ count }) => count === max).slice(0, MAX_OF_A_GROUP)];
    };
    const combinations: (readonly Named[])[] = [];
    for (const model of ofGroup('Model')) {
      for (const format of ofGroup('Format')) {
        for (const device of ofGroup('Device')) {
          const combination = [model, format, device].filter((candidate) => candidate !== null);
          const isComplete = words.every((_word, i) => combination.some(({ hits }) => hits[i]));
          // Each choice has to match a word that the others do not.
          const areNeeded = combination.every(({ hits }) =>
            hits.some((hit, i) => hit && combination.filter((other) => other.hits[i]).length === 1),
          );
          if (isComplete && areNeeded && combination.length > 1) combinations.push(combination);
        }
      }
    }
    return combinations
      .toSorted((a, b) => a.length - b.length)
      .slice(0, MAX_FOUND)
      .map((chosen) => chosen.map(({ choice }) => choice));
  };
}

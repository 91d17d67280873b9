import type { GalleryEntry } from '../../io/gallery.ts';
import { type SearchResult as WordSearchResult, wordSearch } from '../../kit/word-search.ts';
import { shape } from '../../kit/words/quantity.ts';
import { modelSize } from '../../kit/words/model-sizes.ts';
import { DENSE_BYTES_PER_WEIGHT } from '../../theory/models/model-bytes.ts';
import { type ModelShape, weightsOf } from '../../theory/models/model-shape.ts';
import { positionText, searchPaths } from '../../theory/models/model-tree.ts';
import { type Choice, choiceAt } from './choice.ts';

/** A result of the search field where a matrix is chosen: a model or a part of it, an example, a link, or a file. */
export type MatrixPickerResult =
  | { readonly kind: 'in-model'; readonly choice: Choice; readonly title: string; readonly description: string }
  | { readonly kind: 'example'; readonly id: string; readonly title: string; readonly description: string }
  | { readonly kind: 'link'; readonly reference: string; readonly title: string; readonly description: string }
  | { readonly kind: 'file'; readonly title: string; readonly description: string };

/** An address, or a path in the Hugging Face hub. */
const LINK = /^(?:https?:\/\/|hf:\/\/)\S+$|^[\w.-]+\/[\w./@-]+$/i;

/** Endings of files with weights or a matrix. */
const FILE = /\.(?:mtx|mm|npy|npz|smtx|csv|tsv|gz|tgz|tar|zip|gguf|safetensors|pt|pth|ckpt|bin|json)$/i;

/** Maximum length of a query. */
const MAX_CHARACTERS = 300;

/** Finds examples by name and description. */
export function exampleFinder(gallery: readonly GalleryEntry[]): (query: string) => WordSearchResult<GalleryEntry> {
  return wordSearch(gallery, ({ name, about: description }) => ({ title: name, description }));
}

/** The results of a query for a matrix: a link, models and their parts, examples, a file; in this order. */
export function matrixPickerResults(
  query: string,
  models: readonly ModelShape[],
  findExample: ReturnType<typeof exampleFinder>,
): readonly MatrixPickerResult[] {
  const words = query.trim().slice(0, MAX_CHARACTERS);
  if (!/[\p{L}\d]/u.test(words)) return [];
  const results: MatrixPickerResult[] = [];
  if (LINK.test(words)) {
    results.push({ kind: 'link', reference: words, title: `Open ${words}`, description: 'from the web' });
  }
  for (const path of searchPaths(words, models)) results.push(resultInModel(choiceAt(path, models)));
  const { named, mentioned } = findExample(words);
  for (const { id, name, rows, cols } of [...named, ...mentioned]) {
    results.push({ kind: 'example', id, title: name, description: `example, ${shape(rows, cols)}` });
  }
  if (FILE.test(words)) results.push({ kind: 'file', title: 'Open a file', description: 'from this computer' });
  return results;
}

function resultInModel(choice: ReturnType<typeof choiceAt>): MatrixPickerResult {
  const { model, matrix } = choice.selection;
  const inModel = { kind: 'in-model', choice } as const;
  const size = modelSize(DENSE_BYTES_PER_WEIGHT * weightsOf(model));
  if (choice.level === 'model') return { ...inModel, title: model.name, description: `whole model, ${size} dense` };
  return choice.level === 'layer'
    ? { ...inModel, title: `${model.name} › layer ${matrix.layer ?? 0}`, description: 'whole layer' }
    : { ...inModel, title: positionText(model, matrix), description: shape(matrix.rows, matrix.cols) };
}

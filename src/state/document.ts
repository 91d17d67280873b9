// The document: what the page shows, as one value, and functions that return it changed.

import type { KnownInputs } from '../io/gallery.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type AnyListedFormat, type ParamField, type Placement } from '../core/format.ts';
import type { Region } from '../core/matrix/index.ts';
import type { PatternInfo } from '../generate/patterns.ts';
import type { BaseSource, LinesAs, MatrixSource, Pruning } from '../engine/matrix/source-types.ts';
import { shippedModel } from '../theory/models/known-models.ts';
import { pageState, type DocumentPages } from './page-address.ts';
import type { PageEntry } from './page-entry.ts';

/** The value of one parameter of a format. */
export type ParamValue = string | number | boolean;
export type FormatParams = Readonly<Record<string, ParamValue>>;

/** A frame of an animation: its name (`frameName` in played-story.ts), or its number from 1, questions not counted. */
export type FrameReference = number | string;

/** A format with its parameters, complete. */
export interface FormatChoice {
  readonly format: string;
  readonly params: FormatParams;
}

/**
 * What the pages of the app show: matrix, formats, and the state of each page. Reload, back and forward restore it from
 * the address (url.ts). Preferences such as the theme are not part of it.
 */
export interface AppDocument extends DocumentPages {
  /** a matrix, or a whole model: one whose source names neither layer nor matrix */
  readonly source: MatrixSource;
  /** A, the format whose animation the page Watch shows */
  readonly format: string;
  /** the parameters of every format by its id, complete */
  readonly params: Readonly<Record<string, FormatParams>>;
  /** B, compared with A, possibly the same format with other parameters; null for only A */
  readonly formatB: FormatChoice | null;
  /** tokens that are multiplied at once: columns of x, 1 to `MAX_TOKENS` */
  readonly tokens: number;
  /** the part of the matrix that the animation shows; null until the matrix is open, unless the user chose it */
  readonly window: Region | null;
  /** the window's cells if the user edited some of them, as `cellsText` writes them; null: the cells of the matrix */
  readonly edited: string | null;
  /** whether the page Watch shows B's animation next to A's */
  readonly isSideBySide: boolean;
  /** the animation’s frame (a picture at which it rests); null: every step is shown */
  readonly frame: FrameReference | null;
  /** if every step is shown, the current step of A, or of A and B together; 0: the initial state */
  readonly step: number;
  /** the device whose speeds are shown everywhere: see `devices/device-ids.ts`; '' leaves the choice to the page */
  readonly deviceChoice: string;
}

/** A bundled matrix. `url` is absolute or relative to the page. */
interface Example {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** the vectors that its columns are multiplied by, if known */
  readonly inputs?: KnownInputs;
  readonly holds?: 'activations';
  /** the cells to show first; by default `defaultWindow` */
  readonly window?: Region;
}

/** The properties of a generator's pattern that the URL needs. */
export type Pattern = Pick<PatternInfo, 'id' | 'options'>;

/** The content of this build: a document may name nothing else. */
export interface Catalog {
  readonly formats: readonly (Pick<AnyListedFormat, 'id' | 'title' | 'params' | 'unusable'> &
    Partial<Pick<AnyListedFormat, 'examples' | 'bestExample' | 'sandboxed' | 'expectedEffectiveDensity'>> &
    Partial<Pick<AnyListedFormat, 'overheadBits' | 'admissionOdds' | 'expectedReason'>>)[];
  readonly patterns: readonly Pattern[];
  readonly examples: readonly Example[];
  /** in the order of the header; the first page is the default of an address */
  readonly pages: readonly PageEntry[];
  /** the defaults of an address */
  readonly start: {
    readonly source: MatrixSource;
    readonly format: string;
    /** B, with its default parameters */
    readonly formatB: string | null;
    /** the matrix for an empty address, if it is not `source` */
    readonly first?: { readonly source: MatrixSource; readonly window: Region };
  };
}

/** Maximum of `tokens` in a document. */
export const MAX_TOKENS = 128;

export type DocumentStore = StoreApi<AppDocument>;

/** A store of the document. The functions below change it: `store.setState(withFormat(store.getState(), 'csr'))`. */
export function createDocumentStore(initial: AppDocument): DocumentStore {
  return createStore<AppDocument>(() => initial);
}

/** The document of an empty address: the first screen. */
export function firstDocument(catalog: Catalog): AppDocument {
  const pages = catalog.pages.flatMap(({ id, address }) => (address?.first ? [[id, address.first]] : []));
  const defaults = defaultDocument(catalog);
  return { ...defaults, ...catalog.start.first, pages: { ...defaults.pages, ...Object.fromEntries(pages) } };
}

/** The document of an address that names only a page: the catalog's start, every parameter at its default. */
export function defaultDocument(catalog: Catalog): AppDocument {
  return {
    view: catalog.pages[0].id,
    source: catalog.start.source,
    format: catalog.start.format,
    params: Object.fromEntries(catalog.formats.map((f) => [f.id, defaultsOf(f.params)])),
    formatB: defaultChoice(catalog, catalog.start.formatB),
    tokens: 1,
    window: null,
    edited: null,
    isSideBySide: false,
    frame: 1,
    step: 0,
    deviceChoice: '',
    pages: Object.fromEntries(catalog.pages.flatMap(({ id, address }) => (address ? [[id, address.initial]] : []))),
  };
}

/** A format with its default parameters; null if the catalog has no such format. */
export function defaultChoice({ formats }: Pick<Catalog, 'formats'>, id: string | null): FormatChoice | null {
  const format = formats.find((f) => f.id === id);
  return format ? { format: format.id, params: defaultsOf(format.params) } : null;
}

/** A format with these parameters, such as those of a worked example, and the defaults of all others. */
export function choiceWith(catalog: Pick<Catalog, 'formats'>, id: string, params: Partial<FormatParams>): FormatChoice {
  const defined = Object.entries(params).filter((pair): pair is [string, ParamValue] => pair[1] !== undefined);
  return { format: id, params: { ...defaultChoice(catalog, id)?.params, ...Object.fromEntries(defined) } };
}

/** The parameters that a format needs for a worked example, if its defaults cannot store the example; else none. */
export function paramsNeededBy(
  { formats }: Pick<Catalog, 'formats'>,
  id: string,
  source: MatrixSource | null,
): Partial<FormatParams> {
  const examples = formats.find((format) => format.id === id)?.examples ?? [];
  const openExample = examples.find(
    (example) => example.needsParams && source?.kind === 'example' && source.id === example.id,
  );
  return openExample?.params ?? {};
}

/** The document with the parameters that A needs for the open worked example, if A still has its defaults. */
export function withNeededParams(doc: AppDocument, catalog: Pick<Catalog, 'formats'>): AppDocument {
  const needed = paramsNeededBy(catalog, doc.format, doc.source);
  const hasDefaults = equalChoices(choiceA(doc), defaultChoice(catalog, doc.format));
  return hasDefaults ? withChoiceA(doc, choiceWith(catalog, doc.format, needed)) : doc;
}

/** The example that a format needs if the user has chosen no matrix; null if any matrix will do. */
export function sourceNeededBy(
  { formats, examples }: Pick<Catalog, 'formats' | 'examples'>,
  id: string,
): BaseSource | null {
  const best = formats.find((format) => format.id === id)?.bestExample;
  return best?.opensFirst && examples.some((example) => example.id === best.id)
    ? { kind: 'example', id: best.id }
    : null;
}

/** Whether the matrix is a default: the first screen's, or the one of an address that names no matrix. */
export function isDefaultSource({ start }: Pick<Catalog, 'start'>, source: MatrixSource): boolean {
  return sameSource(source, start.source) || (start.first !== undefined && sameSource(source, start.first.source));
}

function defaultsOf(spec: AnyListedFormat['params']): FormatParams {
  return Object.fromEntries(paramFields(spec).map(([name, field]) => [name, field.default]));
}

/** A format's parameters with their fields, in the order of its form. */
export function paramFields(spec: AnyListedFormat['params']): readonly (readonly [string, ParamField<ParamValue>])[] {
  return Object.entries(spec as Record<string, ParamField<ParamValue>>);
}

/** The value types of a format to choose from; empty if it has no choice. */
export function valueTypesOf({ params }: Pick<AnyListedFormat, 'params'>): readonly ParamValue[] {
  const field = paramFields(params).find(([name]) => name === 'valueType')?.[1];
  return field?.kind === 'choice' ? field.options.map(({ value }) => value) : [];
}

/** The parameters of A. */
export function currentParams(doc: AppDocument): FormatParams {
  return doc.params[doc.format] ?? {};
}

/** The document at another page of the app. */
export function withView<D extends DocumentPages>(doc: D, view: string): D {
  return { ...doc, view };
}

/** The document with another A; its animation begins at the start. */
export function withFormat(doc: AppDocument, format: string): AppDocument {
  return doc.format === format ? doc : atStart({ ...doc, format });
}

/** The document with one parameter changed, unchecked (`paramAccepts`); if it is A's, the animation starts again. */
export function withParam(doc: AppDocument, format: string, name: string, value: ParamValue): AppDocument {
  const params = doc.params[format] ?? {};
  if (params[name] === value) return doc;
  const changed = { ...doc, params: { ...doc.params, [format]: { ...params, [name]: value } } };
  return format === doc.format ? atStart(changed) : changed;
}

/** A with its parameters. */
export function choiceA(doc: AppDocument): FormatChoice {
  return { format: doc.format, params: currentParams(doc) };
}

/** The document with another B, or none; an animation that shows B starts again. */
export function withFormatB(doc: AppDocument, formatB: FormatChoice | null): AppDocument {
  if (equalChoices(doc.formatB, formatB)) return doc;
  const changed = { ...doc, formatB, isSideBySide: doc.isSideBySide && formatB !== null };
  return doc.isSideBySide ? atStart(changed) : changed;
}

/** A format with these parameters as A; the animation begins at the start. */
export function withChoiceA(doc: AppDocument, { format, params }: FormatChoice): AppDocument {
  if (equalChoices(choiceA(doc), { format, params })) return doc;
  return atStart({ ...doc, format, params: { ...doc.params, [format]: params } });
}

/** A and B exchanged; without B the document unchanged. */
export function withSwapped(doc: AppDocument): AppDocument {
  return doc.formatB === null ? doc : { ...withChoiceA(doc, doc.formatB), formatB: choiceA(doc) };
}

/** A change that lets a format store a matrix that it cannot store unchanged. */
export type Remedy =
  | { readonly kind: 'prune'; readonly kept: number; readonly group: number }
  /** opens an example instead */
  | { readonly kind: 'open'; readonly id: string; readonly what: string };

/** The example that shows a format best instead of this matrix; null where it is open, or missing. */
export function exampleInstead(
  { bestExample: { id, what } }: Pick<AnyListedFormat, 'bestExample'>,
  source: MatrixSource,
  examples: Catalog['examples'],
): Remedy | null {
  const isOpen = sameSource(source, { kind: 'example', id });
  return isOpen || !examples.some((example) => example.id === id) ? null : { kind: 'open', id, what };
}

/** The document with a format as A or B, and with the change that the format needs. */
export function withRemedy(
  doc: AppDocument,
  side: 'a' | 'b',
  choice: FormatChoice,
  remedy: Remedy | null,
): AppDocument {
  const chosen = side === 'a' ? withChoiceA(doc, choice) : withFormatB(doc, choice);
  if (remedy === null) return chosen;
  if (remedy.kind === 'open') return withSource(chosen, { kind: 'example', id: remedy.id });
  const { kept, group } = remedy;
  const source = { kind: 'pruned', base: baseOf(doc.source), pruning: { way: 'n-of-m', kept, group } } as const;
  return atStart({ ...chosen, source, edited: null });
}

/** A remedy in words, to follow the name of the matrix: 'it is pruned to 6:8'. */
export function remedyPhrase(remedy: Remedy): string {
  return remedy.kind === 'open' ? `${remedy.what} instead` : `it is pruned to ${remedy.kept}:${remedy.group}`;
}

/** The document with another number of tokens; not checked here: see `MAX_TOKENS`. */
export function withTokens(doc: AppDocument, tokens: number): AppDocument {
  return doc.tokens === tokens ? doc : { ...doc, tokens };
}

/** Whether both are the same format with the same parameters. */
export function equalChoices(a: FormatChoice | null, b: FormatChoice | null): boolean {
  if (a === null || b === null) return a === b;
  return a.format === b.format && sameEntries(a.params, b.params);
}

/** The fields that the user chooses and that do not depend on the matrix. */
const CHOSEN_FIELDS = ['view', 'format', 'params', 'formatB', 'isSideBySide', 'tokens', 'deviceChoice'] as const;

/** `requested` with the user's choices between `before` and `now`, while its matrix was being opened. */
export function withChoicesSince(requested: AppDocument, before: AppDocument, now: AppDocument): AppDocument {
  const changed = CHOSEN_FIELDS.filter((key) => now[key] !== before[key]);
  const pages = Object.entries(now.pages).filter(([id, state]) => state !== before.pages[id]);
  return {
    ...requested,
    ...Object.fromEntries(changed.map((key) => [key, now[key]])),
    pages: { ...requested.pages, ...Object.fromEntries(pages) },
  };
}

/** The document with another window; the animation starts again. */
export function withWindow(doc: AppDocument, window: Region): AppDocument {
  return sameRegion(doc.window, window) ? doc : atStart({ ...doc, window, edited: null });
}

/** The document whose animation shows every step, at this step. */
export function withStep(doc: AppDocument, step: number): AppDocument {
  return doc.frame === null && doc.step === step ? doc : { ...doc, frame: null, step };
}

/** The document whose animation goes by frames, at this frame. */
export function withFrame(doc: AppDocument, frame: FrameReference): AppDocument {
  return doc.frame === frame ? doc : { ...doc, frame, step: 0 };
}

/** The document with the animation at its start, by frames or by every step as before. */
export function atStart(doc: AppDocument): AppDocument {
  return { ...doc, frame: doc.frame === null ? null : 1, step: 0 };
}

/** The document with B's animation next to A's, or not; the animation starts again. */
export function withBothShown(doc: AppDocument, showsBoth: boolean): AppDocument {
  return doc.isSideBySide === showsBoth ? doc : atStart({ ...doc, isSideBySide: showsBoth });
}

/** B, if its animation is visible next to A's; else null. */
export function secondFormat(doc: Pick<AppDocument, 'formatB' | 'isSideBySide'>): FormatChoice | null {
  return doc.isSideBySide ? doc.formatB : null;
}

/** The document with another matrix, at the start; without `window`, one is chosen when the matrix is open. */
export function withSource(doc: AppDocument, source: MatrixSource, window: Region | null = null): AppDocument {
  return atStart({ ...doc, source, window, edited: null });
}

/** Whether a matrix is known to contain activations, which a model computes anew for every token. */
export function containsActivations({ examples }: Pick<Catalog, 'examples'>, source: MatrixSource): boolean {
  if (source.kind === 'generated') return source.spec.pattern === 'activations';
  return source.kind === 'example' && examples.some(({ id, holds }) => id === source.id && holds === 'activations');
}

/** The source of the unpruned matrix: of a pruned source its base, else the source itself. */
export function baseOf(source: MatrixSource): BaseSource {
  return source.kind === 'pruned' ? source.base : source;
}

/** How the non-zeros of a matrix are placed, by how it was made: 'even' if every group contains equally many. */
export function placementOf(source: MatrixSource): Placement {
  if (source.kind === 'pruned') return source.pruning.way === 'n-of-m' ? 'even' : 'independent';
  return source.kind === 'generated' && source.spec.pattern === 'n-of-m' ? 'even' : 'independent';
}

/** The source that the document gets after opening: `requested` for a model or layer, else the complete `opened`. */
export function openedSource(requested: MatrixSource, opened: MatrixSource): MatrixSource {
  const base = baseOf(requested);
  return base.kind === 'model' && base.matrix === undefined ? requested : opened;
}

/** The document with `opened` as its source, if `opened` contains the cells of a file that the source only names. */
export function withCarriedSource(doc: AppDocument, opened: MatrixSource): AppDocument {
  const isCarried = baseOf(doc.source).kind === 'file' && baseOf(opened).kind === 'cells';
  return isCarried ? { ...doc, source: opened } : doc;
}

/**
 * The pruning with which a model is opened: that of `before`, the source until then; if it is not pruned, none after
 * another model, and half of the weights after any other source.
 */
export function modelPruning(before: MatrixSource, { model }: { readonly model: string }): Pruning | null {
  if (before.kind !== 'pruned') return before.kind === 'model' ? null : { way: 'magnitude', density: 0.5 };
  const { pruning } = before;
  // Without the model's file its activations are unknown.
  return pruning.way === 'wanda' && shippedModel(model) === null
    ? { way: 'magnitude', density: pruning.density }
    : pruning;
}

/** The source with another tensor of the same file. */
export function withTensor(source: MatrixSource, tensor: string): MatrixSource {
  if (source.kind === 'pruned') {
    const { base } = source;
    return isInFile(base) ? { ...source, base: { ...base, tensor, as: 'auto' } } : source;
  }
  return isInFile(source) ? { ...source, tensor, as: 'auto' } : source;
}

/** The source of the same text table, with its lines read as `as` says. */
export function withLinesAs(source: BaseSource, as: LinesAs): BaseSource {
  return isInFile(source) ? { ...source, as } : source;
}

function isInFile(source: BaseSource): source is BaseSource & { readonly kind: 'file' | 'remote' } {
  return source.kind === 'file' || source.kind === 'remote';
}

/**
 * `doc` with the objects of `before` where values are equal, so that subscribers see no change there, and with the
 * states of other pages as in `before`.
 */
export function withKnownParts(
  doc: AppDocument,
  before: AppDocument,
  { pages: entries }: Pick<Catalog, 'pages'>,
): AppDocument {
  const params = Object.entries(doc.params).map(([format, newParams]) => {
    const oldParams = before.params[format];
    return [format, oldParams && sameEntries(oldParams, newParams) ? oldParams : newParams] as const;
  });
  const pages = entries.flatMap(({ id, address }) => {
    if (!address) return [];
    const oldState = pageState(before, address);
    return [[id, doc.view === id ? address.merge(pageState(doc, address), oldState) : oldState] as const];
  });
  const formatB = equalChoices(doc.formatB, before.formatB) ? before.formatB : doc.formatB;
  return { ...doc, params: Object.fromEntries(params), formatB, pages: Object.fromEntries(pages) };
}

/** Whether both are the same rows and columns. */
export function sameRegion(a: Region | null, b: Region | null): boolean {
  if (a === null || b === null) return a === b;
  return a.row === b.row && a.col === b.col && a.rows === b.rows && a.cols === b.cols;
}

/** Whether two documents show the same animation of A, and of B if it is next to A, on the same window. */
export function sameStory(a: AppDocument, b: AppDocument): boolean {
  return (
    a.format === b.format &&
    currentParams(a) === currentParams(b) &&
    equalChoices(secondFormat(a), secondFormat(b)) &&
    sameRegion(a.window, b.window) &&
    a.edited === b.edited &&
    sameSource(a.source, b.source)
  );
}

/** Whether only cells differ: of the edited window, or of a matrix that the address contains. */
export function isCellChange(before: AppDocument, after: AppDocument): boolean {
  const [a, b] = [before.source, after.source];
  if (before.format !== after.format || !sameRegion(before.window, after.window)) return false;
  if (sameSource(a, b)) return before.edited !== after.edited;
  return a.kind === 'cells' && b.kind === 'cells' && a.rows === b.rows && a.cols === b.cols;
}

/** Whether two sources name the same matrix; the order of keys does not matter. */
export function sameSource(a: MatrixSource, b: MatrixSource): boolean {
  if (a.kind === 'pruned') {
    return b.kind === 'pruned' && sameSource(a.base, b.base) && sameEntries(a.pruning, b.pruning);
  }
  if (a.kind !== 'generated') return sameEntries(a, b);
  if (b.kind !== 'generated') return false;
  const { options: aOptions = {}, ...aSpec } = a.spec;
  const { options: bOptions = {}, ...bSpec } = b.spec;
  return sameEntries(aSpec, bSpec) && sameEntries(aOptions, bOptions);
}

/** Whether two flat objects have the same keys with the same values, in any order. */
export function sameEntries(a: object, b: object): boolean {
  const entriesOfA = Object.entries(a);
  const entriesOfB = new Map(Object.entries(b));
  return (
    entriesOfA.length === entriesOfB.size &&
    entriesOfA.every(([key, value]) => entriesOfB.has(key) && entriesOfB.get(key) === value)
  );
}

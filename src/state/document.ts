import type { KnownInputs } from '../io/gallery.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type AnyListedFormat, type ParamField, resolvedParams, type Shape } from '../core/format.ts';
import type { Region } from '../core/matrix/index.ts';
import type { PatternInfo } from '../generate/patterns.ts';
import type { BaseSource, MatrixSource } from '../engine/protocol.ts';

/** The places of the page. */
export const VIEWS = ['visualize', 'benchmark', 'explore', 'kernels', 'learn'] as const;
export type View = (typeof VIEWS)[number];

/** The questions that can be explored, each with an address of its own. */
export const QUESTIONS = ['matrix', 'density', 'roofline', 'model', 'network', 'windows'] as const;
export type Question = (typeof QUESTIONS)[number];

/** What was chosen for a question, as it stands in the address: only what differs from its default. */
export type Choices = Readonly<Record<string, string>>;

export interface Exploring {
  readonly question: Question;
  /** for each question that was visited; the page of the question knows what the texts mean */
  readonly choices: Readonly<Partial<Record<Question, Choices>>>;
}

export type ParamValue = string | number | boolean;
export type FormatParams = Readonly<Record<string, ParamValue>>;

/**
 * What is on the screen, as one serialisable value: reload, back and forward bring it back. The URL is its codec
 * (url.ts). Looks (theme, panel sizes) are not part of it.
 */
export interface AppDocument {
  readonly view: View;
  readonly source: MatrixSource;
  /** id of the format on the stage */
  readonly format: string;
  /** every known format's parameters by its id, complete */
  readonly params: Readonly<Record<string, FormatParams>>;
  /** the cells that the animation works on; null until the matrix is there, then `defaultWindow` unless chosen */
  readonly window: Region | null;
  /** of the animation: 0 is before anything happened */
  readonly step: number;
  readonly explore: Exploring;
  readonly reading: Reading;
  readonly learning: Learning;
}

/** What is read among the lessons. */
export interface Learning {
  /** id of a lesson; '' for the list of them */
  readonly lesson: string;
  /** the paragraph that is read, from 1; 0 for the beginning */
  readonly paragraph: number;
  /** questions that a link carries, where `lesson` says that it is a set; else '' */
  readonly set: string;
}

export const NO_LESSON: Learning = { lesson: '', paragraph: 0, set: '' };

/** What can be seen of a kernel: its code, or what its lanes load. */
export const KERNEL_PARTS = ['code', 'memory'] as const;
export type KernelPart = (typeof KERNEL_PARTS)[number];

/** What is read among the kernels. */
export interface Reading {
  /** id of a kernel; '' for the first of the format on the stage */
  readonly kernel: string;
  /** of the file that is shown, below shaders/; '' for the kernel's own */
  readonly file: string;
  /** of that file, from 1; 0 for none in particular */
  readonly line: number;
  /** id of a draft of the kernel, which this browser keeps; '' for the kernel as it is */
  readonly draft: string;
  /** a draft that a link carries; '' for none */
  readonly code: string;
  readonly part: KernelPart;
  /** what was chosen for that part, which knows what the texts mean */
  readonly choices: Choices;
}

export const NOTHING_READ: Reading = {
  kernel: '',
  file: '',
  line: 0,
  draft: '',
  code: '',
  part: KERNEL_PARTS[0],
  choices: {},
};

/** A bundled matrix. `url` is absolute or relative to the page. */
export interface Example {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** what its columns are multiplied with, where that is known */
  readonly inputs?: KnownInputs;
  /** the cells to look at first; by default `defaultWindow` */
  readonly window?: Region;
}

/** A pattern of the generator as far as the URL needs to know it. */
export type Pattern = Pick<PatternInfo, 'id' | 'options'>;

/** What this build knows: a document may name nothing else. */
export interface Catalog {
  readonly formats: readonly Pick<AnyListedFormat, 'id' | 'title' | 'params' | 'unusable'>[];
  readonly patterns: readonly Pattern[];
  readonly examples: readonly Example[];
  /** what the first screen shows */
  readonly start: { readonly source: MatrixSource; readonly format: string };
}

export type DocumentStore = StoreApi<AppDocument>;

/** A store of the document. Change it with the functions below: `store.setState(withFormat(store.getState(), 'csr'))`. */
export function createDocumentStore(initial: AppDocument): DocumentStore {
  return createStore<AppDocument>(() => initial);
}

/** The first screen: the catalog's start, every parameter at its default. */
export function defaultDocument(catalog: Catalog): AppDocument {
  return {
    view: 'visualize',
    source: catalog.start.source,
    format: catalog.start.format,
    params: Object.fromEntries(catalog.formats.map((f) => [f.id, defaultsOf(f.params)])),
    window: null,
    step: 0,
    explore: { question: QUESTIONS[0], choices: {} },
    reading: NOTHING_READ,
    learning: NO_LESSON,
  };
}

function defaultsOf(spec: AnyListedFormat['params']): FormatParams {
  return Object.fromEntries(paramFields(spec).map(([name, field]) => [name, field.default]));
}

/** A format's parameters with their fields, in the order of its form. */
export function paramFields(spec: AnyListedFormat['params']): readonly (readonly [string, ParamField<ParamValue>])[] {
  return Object.entries(spec as Record<string, ParamField<ParamValue>>);
}

/** The parameters of all formats for a matrix of this shape; as they are where there is none. */
export function paramsAt(
  formats: readonly Pick<AnyListedFormat, 'id' | 'params'>[],
  all: Readonly<Record<string, FormatParams>>,
  shape: Shape | null,
): Readonly<Record<string, FormatParams>> {
  if (shape === null) return all;
  return Object.fromEntries(formats.map(({ id, params }) => [id, resolvedParams(params, all[id] ?? {}, shape)]));
}

/** What a parameter accepts, in words: 'one of 1, 2, 4, 8'. */
export function paramExpectation(field: ParamField<ParamValue>): string {
  return field.kind === 'choice'
    ? `one of ${field.options.map((o) => String(o.value)).join(', ')}`
    : `a whole number from ${field.min} to ${field.max}`;
}

/** Whether a parameter may have this value. */
export function paramAccepts(field: ParamField<ParamValue>, value: unknown): value is ParamValue {
  if (field.kind === 'choice') return field.options.some((o) => o.value === value);
  return Number.isInteger(value) && Number(value) >= field.min && Number(value) <= field.max;
}

/** The parameters of the format on the stage. */
export function currentParams(doc: AppDocument): FormatParams {
  return doc.params[doc.format] ?? {};
}

export function withView(doc: AppDocument, view: View): AppDocument {
  return { ...doc, view };
}

/** A question of Explore, with what else is to be chosen for it; an empty text takes a choice back. */
export function withQuestion(doc: AppDocument, question: Question, changed: Choices = {}): AppDocument {
  const before = doc.explore.choices[question] ?? {};
  const after = Object.entries({ ...before, ...changed }).filter(([, value]) => value !== '');
  const choices = { ...doc.explore.choices, [question]: Object.fromEntries(after) };
  return { ...doc, view: 'explore', explore: { question, choices } };
}

/** Another kernel, file or line to read; what is not named is the start of what is. */
export function withReading(doc: AppDocument, reading: Partial<Reading>): AppDocument {
  return { ...doc, view: 'kernels', reading: { ...NOTHING_READ, ...reading } };
}

/** Another lesson from its beginning, another paragraph of one, or the list of lessons. */
export function withLesson(doc: AppDocument, learning: Partial<Learning>): AppDocument {
  return { ...doc, view: 'learn', learning: { ...NO_LESSON, ...learning } };
}

/** Another format on the stage; its animation begins at the start. */
export function withFormat(doc: AppDocument, format: string): AppDocument {
  return doc.format === format ? doc : { ...doc, format, step: 0 };
}

/**
 * One parameter of one format. Changing the format on the stage begins its animation at the start.
 * The value is not checked here: see `paramAccepts`.
 */
export function withParam(doc: AppDocument, format: string, name: string, value: ParamValue): AppDocument {
  const params = doc.params[format] ?? {};
  if (params[name] === value) return doc;
  return {
    ...doc,
    params: { ...doc.params, [format]: { ...params, [name]: value } },
    step: format === doc.format ? 0 : doc.step,
  };
}

/** Another window; its animation begins at the start. */
/** What a person chooses that no matrix decides. */
const CHOICES = ['view', 'format', 'params', 'step', 'explore', 'reading', 'learning'] as const;

/**
 * `asked`, with whatever has been chosen between `before` and `now`: a document that was asked for a while ago undoes
 * nothing that somebody did meanwhile.
 */
export function withChoicesSince(asked: AppDocument, before: AppDocument, now: AppDocument): AppDocument {
  const changed = CHOICES.filter((key) => now[key] !== before[key]);
  return { ...asked, ...Object.fromEntries(changed.map((key) => [key, now[key]])) };
}

export function withWindow(doc: AppDocument, window: Region): AppDocument {
  return sameRegion(doc.window, window) ? doc : { ...doc, window, step: 0 };
}

export function withStep(doc: AppDocument, step: number): AppDocument {
  return doc.step === step ? doc : { ...doc, step };
}

/** Another matrix, which has been opened: with its own window, at the start. */
export function withSource(doc: AppDocument, source: MatrixSource, window: Region): AppDocument {
  return { ...doc, source, window, step: 0 };
}

/** The whole matrix that a source is, or that it was pruned from. */
export function baseOf(source: MatrixSource): BaseSource {
  return source.kind === 'pruned' ? source.base : source;
}

/** The source with another tensor of the same file. */
export function withTensor(source: MatrixSource, tensor: string): MatrixSource {
  if (source.kind === 'pruned') {
    const { base } = source;
    return base.kind === 'file' || base.kind === 'remote' ? { ...source, base: { ...base, tensor } } : source;
  }
  return source.kind === 'file' || source.kind === 'remote' ? { ...source, tensor } : source;
}

/**
 * The document with `before`'s parameter objects where the values are the same, so that they compare as unchanged, and
 * with what was chosen for questions that its address does not speak of.
 */
export function withKnownParams(doc: AppDocument, before: AppDocument): AppDocument {
  const params = Object.entries(doc.params).map(([format, own]) => {
    const known = before.params[format];
    return [format, known && sameEntries(known, own) ? known : own] as const;
  });
  const { question } = doc.view === 'explore' ? doc.explore : before.explore;
  const reading = doc.view === 'kernels' ? doc.reading : before.reading;
  const learning = doc.view === 'learn' ? doc.learning : before.learning;
  const explore = { question, choices: { ...before.explore.choices, ...doc.explore.choices } };
  return { ...doc, params: Object.fromEntries(params), explore, reading, learning };
}

export function sameRegion(a: Region | null, b: Region | null): boolean {
  if (a === null || b === null) return a === b;
  return a.row === b.row && a.col === b.col && a.rows === b.rows && a.cols === b.cols;
}

/** Whether two documents ask for the same animation: that of a format with its parameters, on a window of a matrix. */
export function sameStory(a: AppDocument, b: AppDocument): boolean {
  return (
    a.format === b.format &&
    currentParams(a) === currentParams(b) &&
    sameRegion(a.window, b.window) &&
    sameSource(a.source, b.source)
  );
}

/** Whether two sources name the same matrix; the order of keys does not matter. */
export function sameSource(a: MatrixSource, b: MatrixSource): boolean {
  switch (a.kind) {
    case 'example':
      return b.kind === 'example' && a.id === b.id;
    case 'file':
      return b.kind === 'file' && a.name === b.name && a.tensor === b.tensor;
    case 'remote':
      return b.kind === 'remote' && a.link === b.link && a.tensor === b.tensor;
    case 'pruned':
      return b.kind === 'pruned' && sameSource(a.base, b.base) && sameEntries(a.pruning, b.pruning);
    case 'generated': {
      if (b.kind !== 'generated') return false;
      const { options: aOptions = {}, ...aSpec } = a.spec;
      const { options: bOptions = {}, ...bSpec } = b.spec;
      return sameEntries(aSpec, bSpec) && sameEntries(aOptions, bOptions);
    }
  }
}

function sameEntries(a: object, b: object): boolean {
  const other = new Map(Object.entries(b));
  const entries = Object.entries(a);
  return entries.length === other.size && entries.every(([key, value]) => other.has(key) && other.get(key) === value);
}

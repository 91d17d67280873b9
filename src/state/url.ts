import { seen } from '../core/errors.ts';
import { defaultParams } from '../core/format.ts';
import type { Region } from '../core/matrix/index.ts';
import type { GenerateSpec } from '../generate/generate.ts';
import type { BaseSource, MatrixSource, Pruning } from '../worker/protocol.ts';
import {
  type AppDocument,
  type Catalog,
  defaultDocument,
  type FormatParams,
  paramAccepts,
  paramExpectation,
  paramFields,
  type Pattern,
  type Choices,
  type Exploring,
  QUESTIONS,
  type Reading,
  VIEWS,
} from './document.ts';

/** Version of the syntax, the first thing in the hash. */
const VERSION = '1';

/**
 * The keys of the syntax. A format's own parameters stand beside them under their plain names when the format is on the
 * stage, and as 'format.name' when it is not and the value is not the default; no parameter may be called like a key.
 */
export const RESERVED_KEYS: readonly string[] = [
  'src',
  'shape',
  'density',
  'seed',
  'tensor',
  'prune',
  'fmt',
  'win',
  'step',
  'file',
  'line',
  'draft',
  'code',
];

const OPTION_PREFIX = 'opt.';

/** Of what was chosen for a question of Explore. */
const CHOICE_PREFIX = 'x.';

/** What a generated source without a shape, density or seed in its link means. */
const GENERATED_DEFAULT = { rows: 1024, cols: 1024, density: 0.1, seed: 1 } as const;

/** Largest shape that a matrix can have. */
const MAX_EXTENT = 2 ** 31 - 1;

export interface DecodedHash {
  readonly document: AppDocument;
  /** one sentence for each wrong value, which has been replaced by its default */
  readonly problems: readonly string[];
}

/**
 * The document as the part of the address after '#':
 * `#1/visualize?src=example:fc2-70&fmt=macko&deltaBits=4&valueType=f16&win=0,0,5,32&step=6`.
 */
export function encodeHash(doc: AppDocument, catalog: Pick<Catalog, 'formats'>): string {
  const pairs: [string, string][] = [...sourcePairs(doc.source), ['fmt', doc.format]];
  for (const format of catalog.formats) {
    const isCurrent = format.id === doc.format;
    for (const [name, field] of paramFields(format.params)) {
      const value = doc.params[format.id]?.[name] ?? field.default;
      if (isCurrent) pairs.push([name, String(value)]);
      else if (value !== field.default) pairs.push([`${format.id}.${name}`, String(value)]);
    }
  }
  if (doc.window) pairs.push(['win', `${doc.window.row},${doc.window.col},${doc.window.rows},${doc.window.cols}`]);
  if (doc.step !== 0) pairs.push(['step', String(doc.step)]);
  const { question, choices } = doc.explore;
  const exploring = doc.view === 'explore';
  if (exploring) {
    for (const [name, value] of Object.entries(choices[question] ?? {})) pairs.push([CHOICE_PREFIX + name, value]);
  }
  const { kernel, file, line, draft, code } = doc.reading;
  const reading = doc.view === 'kernels';
  if (reading && file !== '') pairs.push(['file', file]);
  if (reading && line !== 0) pairs.push(['line', String(line)]);
  if (reading && draft !== '') pairs.push(['draft', draft]);
  if (reading && code !== '') pairs.push(['code', code]);
  const below = exploring ? question : reading ? kernel : '';
  const place = below === '' ? doc.view : `${doc.view}/${escapePath(below)}`;
  return `#${VERSION}/${place}?${pairs.map(([key, value]) => `${escapeText(key)}=${escapeText(value)}`).join('&')}`;
}

function sourcePairs(source: MatrixSource): [string, string][] {
  if (source.kind === 'example') return [['src', `example:${source.id}`]];
  if (source.kind === 'pruned') return [...sourcePairs(source.base), ['prune', pruningText(source.pruning)]];
  if (source.kind === 'file' || source.kind === 'remote') {
    const name = source.kind === 'file' ? source.name : source.link;
    return [
      ['src', `${source.kind}:${name}`],
      ...(source.tensor === undefined ? [] : [['tensor', source.tensor] satisfies [string, string]]),
    ];
  }
  const { pattern, rows, cols, density, seed, options = {} } = source.spec;
  return [
    ['src', `generated:${pattern}`],
    ['shape', `${rows}x${cols}`],
    ['density', String(density)],
    ['seed', String(seed)],
    ...Object.entries(options).map(([name, value]): [string, string] => [OPTION_PREFIX + name, String(value)]),
  ];
}

/** A pruning as a link has it: 'magnitude:0.3', 'rows:0.3', 'random:0.3:1', 'n-of-m:2:4'. */
function pruningText(pruning: Pruning): string {
  switch (pruning.way) {
    case 'n-of-m':
      return `n-of-m:${pruning.kept}:${pruning.group}`;
    case 'random':
      return `random:${pruning.density}:${pruning.seed}`;
    default:
      return `${pruning.way}:${pruning.density}`;
  }
}

function escapePath(text: string): string {
  return escapeText(text).replaceAll('%2F', '/');
}

/** Percent-encoding that leaves the separators of values readable. */
function escapeText(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',');
}

/**
 * The document that a hash describes. Never throws: unknown keys are ignored, missing ones take their default, wrong
 * values are reported by one sentence each and replaced by their default. `openFiles` are the names of files that this
 * page still holds; a link cannot bring back any other.
 */
export function decodeHash(hash: string, catalog: Catalog, openFiles: ReadonlySet<string> = new Set()): DecodedHash {
  const fallback = defaultDocument(catalog);
  const text = hash.replace(/^#/, '');
  if (text === '') return { document: fallback, problems: [] };
  const parts = /^([^/?]*)\/([^?]*)(?:\?(.*))?$/s.exec(text);
  if (!parts) {
    return {
      document: fallback,
      problems: [`Link: found '#${clip(text)}', expected '#${VERSION}/visualize?...'; the first screen is shown.`],
    };
  }
  const [, version, viewText, query = ''] = parts;
  if (version !== VERSION) {
    return {
      document: fallback,
      problems: [`Link: found version '${clip(version)}', expected ${VERSION}; the first screen is shown.`],
    };
  }

  const fields = new Fields(new URLSearchParams(query));
  const [place, ...below] = viewText.split('/');
  const view = VIEWS.find((v) => v === place && (below.length === 0 || v === 'explore' || v === 'kernels'));
  if (!view) fields.problem('view', viewText, `one of ${VIEWS.join(', ')}`, `'${fallback.view}' is shown`);

  const source = fields.read('src', (value) => decodePruned(value, fields, catalog, openFiles));
  const format = fields.read('fmt', (value) => {
    if (catalog.formats.some((f) => f.id === value)) return value;
    return fields.problem('fmt', value, `one of ${ids(catalog.formats)}`, `'${fallback.format}' is shown`);
  });
  const formatId = format ?? fallback.format;
  // A window and a step belong to the matrix and format that the link meant: not to what is shown in their place.
  const sourceLost = fields.has('src') && source === null;
  const formatLost = fields.has('fmt') && format === null;
  const window = sourceLost ? null : fields.read('win', (value) => decodeWindow(value, fields));
  const step =
    sourceLost || formatLost
      ? null
      : fields.read('step', (value) => fields.whole('step', value, 0, Number.MAX_SAFE_INTEGER, 0));
  return {
    document: {
      view: view ?? fallback.view,
      source: source ?? fallback.source,
      format: formatId,
      params: decodeParams(fields, catalog, formatLost ? null : formatId),
      window,
      step: step ?? 0,
      explore: view === 'explore' && below.length > 0 ? decodeExploring(below.join('/'), fields) : fallback.explore,
      reading: view === 'kernels' ? decodeReading(below.join('/'), fields) : fallback.reading,
    },
    problems: fields.problems,
  };
}

/** Reads values by key and collects what is wrong with them. */
class Fields {
  readonly problems: string[] = [];
  readonly #search: URLSearchParams;

  constructor(search: URLSearchParams) {
    this.#search = search;
  }

  has(key: string): boolean {
    return this.#search.has(key);
  }

  /** What `decode` makes of the value; null when the key is missing. */
  read<T>(key: string, decode: (value: string) => T | null): T | null {
    const value = this.#search.get(key);
    return value === null ? null : decode(value);
  }

  keys(): readonly string[] {
    return [...new Set(this.#search.keys())];
  }

  problem(key: string, found: string, expected: string, instead: string): null {
    this.problems.push(`Link, ${key}: found '${clip(found)}', expected ${expected}; ${instead}.`);
    return null;
  }

  /** A number in decimal or scientific notation within a range; anything else is reported and `instead` is used. */
  number(key: string, text: string, min: number, max: number, instead: number): number {
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.problem(key, text, `a number from ${min} to ${max}`, `${instead} is used`);
    return instead;
  }

  /** A whole number within a range; anything else is reported and `instead` is used. */
  whole(key: string, text: string, min: number, max: number, instead: number): number {
    const value = wholeNumber(text);
    if (value !== null && value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    this.problem(key, text, `a whole number ${range}`, `${instead} is used`);
    return instead;
  }
}

/** A whole number that a double holds exactly; null for anything else. */
function wholeNumber(text: string): number | null {
  return /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) + 0 : null;
}

function isExtent(n: number | null | undefined): n is number {
  return typeof n === 'number' && n >= 0 && n <= MAX_EXTENT;
}

function decodePruned(
  text: string,
  fields: Fields,
  catalog: Catalog,
  openFiles: ReadonlySet<string>,
): MatrixSource | null {
  const base = decodeSource(text, fields, catalog, openFiles);
  if (base === null) return null;
  const pruning = fields.read('prune', (value) => decodePruning(value, fields));
  return pruning === null ? base : { kind: 'pruned', base, pruning };
}

function decodePruning(text: string, fields: Fields): Pruning | null {
  const [way, first = '', second = '', ...rest] = text.split(':');
  const density = /^(\d+\.?\d*|\.\d+)(e-?\d+)?$/i.test(first) ? Number(first) : Number.NaN;
  const hasDensity = density >= 0 && density <= 1 && rest.length === 0;
  if ((way === 'magnitude' || way === 'rows') && hasDensity && second === '') return { way, density };
  const [kept, group, seed] = [wholeNumber(first), wholeNumber(second), wholeNumber(second)];
  if (way === 'random' && hasDensity && seed !== null && seed >= 0 && seed < 2 ** 32) return { way, density, seed };
  const isPattern = kept !== null && group !== null && kept >= 1 && kept <= group && group <= 64 && rest.length === 0;
  if (way === 'n-of-m' && isPattern) return { way, kept, group };
  const expected =
    "'magnitude:' or 'rows:' and a share, 'random:' and a share and a seed, or 'n-of-m:' as in n-of-m:2:4";
  return fields.problem('prune', text, expected, 'the whole matrix is shown');
}

function decodeSource(
  text: string,
  fields: Fields,
  catalog: Catalog,
  openFiles: ReadonlySet<string>,
): BaseSource | null {
  const tensor = fields.read('tensor', (value) => ({ tensor: value })) ?? {};
  const [, kind, name] = /^([^:]*):?(.*)$/s.exec(text) ?? ['', '', ''];
  const instead = 'the first example is shown';
  if (kind === 'example') {
    if (catalog.examples.some((e) => e.id === name)) return { kind, id: name };
    return fields.problem('src', text, `one of the examples ${ids(catalog.examples)}`, instead);
  }
  if (kind === 'file') {
    if (openFiles.has(name)) return { kind, name, ...tensor };
    fields.problems.push(`A link carries no files: open '${clip(name)}' again; ${instead}.`);
    return null;
  }
  if (kind === 'remote' && name !== '') return { kind, link: name, ...tensor };
  if (kind === 'generated') {
    const pattern = catalog.patterns.find((p) => p.id === name);
    if (pattern) return { kind, spec: decodeSpec(pattern, fields) };
    return fields.problem('src', text, `one of the patterns ${ids(catalog.patterns)}`, instead);
  }
  return fields.problem('src', text, `'example:', 'generated:', 'remote:' or 'file:' and a name`, instead);
}

function decodeSpec(pattern: Pattern, fields: Fields): GenerateSpec {
  const { rows, cols, density, seed } = GENERATED_DEFAULT;
  const shape = fields.read('shape', (value) => decodeShape(value, fields)) ?? { rows, cols };
  const options: Record<string, number> = {};
  for (const option of pattern.options) {
    const key = OPTION_PREFIX + option.id;
    const value = fields.read(key, (text) => {
      const read = option.whole ? fields.whole : fields.number;
      return read.call(fields, key, text, option.min, option.max, option.default);
    });
    if (value !== null) options[option.id] = value;
  }
  return {
    pattern: pattern.id,
    ...shape,
    density: fields.read('density', (text) => fields.number('density', text, 0, 1, density)) ?? density,
    seed: fields.read('seed', (text) => fields.whole('seed', text, 0, 2 ** 32 - 1, seed)) ?? seed,
    ...(Object.keys(options).length > 0 ? { options } : {}),
  };
}

function decodeShape(text: string, fields: Fields): { rows: number; cols: number } | null {
  const [rows, cols, ...rest] = text.split('x').map(wholeNumber);
  if (rest.length === 0 && isExtent(rows) && isExtent(cols)) return { rows, cols };
  const { rows: defaultRows, cols: defaultCols } = GENERATED_DEFAULT;
  return fields.problem(
    'shape',
    text,
    `ROWSxCOLUMNS such as 4096x4096, each at most ${MAX_EXTENT}`,
    `${defaultRows}x${defaultCols} is used`,
  );
}

function decodeWindow(text: string, fields: Fields): Region | null {
  const [row, col, rows, cols, ...rest] = text.split(',').map(wholeNumber);
  if (rest.length === 0 && isExtent(row) && isExtent(col) && isExtent(rows) && isExtent(cols)) {
    return { row, col, rows, cols };
  }
  return fields.problem('win', text, 'row,column,rows,columns such as 0,0,5,32', 'a window is chosen for you');
}

/** What is read among the kernels; its page knows which there are. */
function decodeReading(kernel: string, fields: Fields): Reading {
  return {
    kernel: unescaped(kernel),
    file: fields.read('file', (text) => text) ?? '',
    line: fields.read('line', (text) => fields.whole('line', text, 0, Number.MAX_SAFE_INTEGER, 0)) ?? 0,
    draft: fields.read('draft', (text) => text) ?? '',
    code: fields.read('code', (text) => text) ?? '',
  };
}

/** Text that somebody may have typed: what is no percent-encoding stands for itself. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A question, and what was chosen for it, which is read by its page. */
function decodeExploring(text: string, fields: Fields): Exploring {
  const question = QUESTIONS.find((q) => q === text);
  if (!question) {
    fields.problem('question', text, `one of ${QUESTIONS.join(', ')}`, `'${QUESTIONS[0]}' is shown`);
    return { question: QUESTIONS[0], choices: {} };
  }
  const own: [string, string][] = [];
  for (const key of fields.keys()) {
    const value = key.startsWith(CHOICE_PREFIX) ? fields.read(key, (found) => found) : null;
    if (value !== null && value !== '') own.push([key.slice(CHOICE_PREFIX.length), value]);
  }
  const choices: Choices = Object.fromEntries(own);
  return { question, choices: own.length === 0 ? {} : { [question]: choices } };
}

/** Every format's parameters: `current` under plain names, the others under 'format.name'. */
function decodeParams(fields: Fields, catalog: Catalog, current: string | null): Record<string, FormatParams> {
  const all: Record<string, FormatParams> = {};
  for (const format of catalog.formats) {
    const params: Record<string, FormatParams[string]> = {};
    for (const [name, field] of paramFields(format.params)) {
      const key = format.id === current ? name : `${format.id}.${name}`;
      params[name] =
        fields.read(key, (text) => {
          const value =
            field.kind === 'choice' ? field.options.find((o) => String(o.value) === text)?.value : wholeNumber(text);
          if (paramAccepts(field, value)) return value;
          return fields.problem(key, text, paramExpectation(field), `${String(field.default)} is used`);
        }) ?? field.default;
    }
    const unusable = format.unusable?.(params) ?? null;
    if (unusable !== null) {
      fields.problem(
        `parameters of ${format.id}`,
        Object.values(params).join(', '),
        `values that leave room for a non-zero (${unusable})`,
        'the defaults are used',
      );
    }
    all[format.id] = unusable === null ? params : defaultParams(format.params);
  }
  return all;
}

function ids(things: readonly { readonly id: string }[]): string {
  return things.map((t) => t.id).join(', ');
}

/** At most 60 characters of something that a person may have pasted. */
function clip(text: string): string {
  return seen(text.length > 60 ? `${text.slice(0, 60)}...` : text);
}

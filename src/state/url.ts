import { LINK_BOUNDS } from '../core/bounds/bounds.ts';
import { clip } from '../core/bounds/check.ts';
import { defaultParams } from '../core/format.ts';
import type { Region } from '../core/matrix/index.ts';
import {
  type AppDocument,
  type Catalog,
  defaultDocument,
  type FormatParams,
  paramAccepts,
  paramExpectation,
  paramFields,
  type Choices,
  type Exploring,
  QUESTIONS,
  KERNEL_PARTS,
  type Learning,
  NO_LESSON,
  type Reading,
  type View,
  VIEWS,
} from './document.ts';
import { Fields, ids, isExtent, wholeNumber } from './url-fields.ts';
import { decodePruned, sourcePairs } from './url-source.ts';

/** Version of the syntax, the first thing in the hash. */
const VERSION = '1';

/**
 * The keys of the syntax. A format's own parameters stand beside them under their plain names when the format is on the
 * stage, and as 'format.name' when it is not and the value is not the default, or when older addresses did not name it and
 * meant another; no parameter may be called like a key.
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
  'part',
  'p',
  'set',
];

/** Views with places of their own below them. */
const HAS_PLACES_BELOW: ReadonlySet<View> = new Set(['explore', 'kernels', 'learn']);

/** Of what was chosen for a question of Explore, or for a part of a kernel. */
const CHOICE_PREFIX = 'x.';

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
      const isNamed = value !== field.default || field.unnamed !== undefined;
      if (isCurrent) pairs.push([name, String(value)]);
      else if (isNamed) pairs.push([`${format.id}.${name}`, String(value)]);
    }
  }
  if (doc.window) pairs.push(['win', `${doc.window.row},${doc.window.col},${doc.window.rows},${doc.window.cols}`]);
  if (doc.step !== 0) pairs.push(['step', String(doc.step)]);
  const { question, choices } = doc.explore;
  const exploring = doc.view === 'explore';
  if (exploring) {
    for (const [name, value] of Object.entries(choices[question] ?? {})) pairs.push([CHOICE_PREFIX + name, value]);
  }
  const { kernel, file, line, draft, code, part, choices: chosen } = doc.reading;
  const reading = doc.view === 'kernels';
  if (reading && file !== '') pairs.push(['file', file]);
  if (reading && line !== 0) pairs.push(['line', String(line)]);
  if (reading && draft !== '') pairs.push(['draft', draft]);
  if (reading && code !== '') pairs.push(['code', code]);
  if (reading && part !== KERNEL_PARTS[0]) pairs.push(['part', part]);
  if (reading) {
    for (const [name, value] of Object.entries(chosen)) pairs.push([CHOICE_PREFIX + name, value]);
  }
  const learning = doc.view === 'learn';
  if (learning && doc.learning.paragraph !== 0) pairs.push(['p', String(doc.learning.paragraph)]);
  if (learning && doc.learning.set !== '') pairs.push(['set', doc.learning.set]);
  const below = exploring ? question : reading ? kernel : learning ? doc.learning.lesson : '';
  const place = below === '' ? doc.view : `${doc.view}/${escapePath(below)}`;
  return `#${VERSION}/${place}?${pairs.map(([key, value]) => `${escapeText(key)}=${escapeText(value)}`).join('&')}`;
}

function escapePath(text: string): string {
  return escapeText(text).replaceAll('%2F', '/');
}

/** Percent-encoding that leaves the separators of values readable. */
function escapeText(text: string): string {
  // A file may name a tensor with half a letter, which no address can carry.
  return encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/gu, '\ufffd'))
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',');
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
  const isShort = viewText.length <= LINK_BOUNDS.value;
  const view = VIEWS.find((v) => isShort && v === place && (below.length === 0 || HAS_PLACES_BELOW.has(v)));
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
      learning: view === 'learn' ? decodeLearning(below.join('/'), fields) : fallback.learning,
    },
    problems: fields.problems,
  };
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
    part: fields.read('part', (text) => decodePart(text, fields)) ?? KERNEL_PARTS[0],
    choices: decodeChoices(fields),
  };
}

function decodePart(text: string, fields: Fields): Reading['part'] | null {
  const part = KERNEL_PARTS.find((one) => one === text);
  return part ?? fields.problem('part', text, `one of ${KERNEL_PARTS.join(', ')}`, `'${KERNEL_PARTS[0]}' is shown`);
}

/** What is read among the lessons; their place knows which there are. */
function decodeLearning(lesson: string, fields: Fields): Learning {
  const paragraph = fields.read('p', (text) => fields.whole('p', text, 0, Number.MAX_SAFE_INTEGER, 0)) ?? 0;
  const set = fields.read('set', (text) => text) ?? '';
  return { ...NO_LESSON, lesson: unescaped(lesson), paragraph, set };
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
  const choices = decodeChoices(fields);
  return { question, choices: Object.keys(choices).length === 0 ? {} : { [question]: choices } };
}

function decodeChoices(fields: Fields): Choices {
  const own: [string, string][] = [];
  for (const key of fields.keys()) {
    const value = key.startsWith(CHOICE_PREFIX) ? fields.read(key, (found) => found) : null;
    if (value !== null && value !== '') own.push([key.slice(CHOICE_PREFIX.length), value]);
  }
  return Object.fromEntries(own);
}

/** Every format's parameters: `current` under plain names, the others under 'format.name'. */
function decodeParams(fields: Fields, catalog: Catalog, current: string | null): Record<string, FormatParams> {
  const all: Record<string, FormatParams> = {};
  // Addresses of a place alone, such as that of a lesson, say nothing of formats.
  const isOlder = fields.has('src') || fields.has('fmt');
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
        }) ?? (isOlder && !fields.has(key) ? (field.unnamed ?? field.default) : field.default);
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

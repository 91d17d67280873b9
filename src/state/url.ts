import { LINK_BOUNDS } from '../core/bounds/bounds.ts';
import { clip } from '../core/bounds/quote.ts';
import { defaultParams, paramAccepts, paramExpectation } from '../core/format.ts';
import type { Region } from '../core/matrix/index.ts';
import {
  type AppDocument,
  type Catalog,
  choiceA,
  defaultDocument,
  firstDocument,
  type FrameReference,
  paramsNeededBy,
  sourceNeededBy,
  type FormatParams,
  MAX_TOKENS,
  paramFields,
  type ParamValue,
  type FormatChoice,
} from './document.ts';
import type { MatrixSource } from '../engine/matrix/source-types.ts';
import { DEVICE_IDS, readDeviceId } from './devices/device-ids.ts';
import { pageState } from './page-address.ts';
import type { PageEntry } from './page-entry.ts';
import { AddressFields, idsText, isExtent, stepCountNote, wholeNumber } from './url-fields.ts';
import {
  notOpenProblem,
  decodeEdited,
  decodeMatrixSource,
  namesCells,
  namesSource,
  sourcePairs,
} from './url-source.ts';

// Encodes a document (what the page shows) as an address, and decodes it.

/** Version of the syntax, at the beginning of the hash; an address of another version is rejected. */
const VERSION = 2;

/**
 * Keys that all pages of the app share. `a`: A, the visible format; `b`: B, the one compared with;
 * `win`: the part of the matrix that the animation shows; `as`: how to read the lines of its file; `own`: its edited cells;
 * `frame`: the animation's frame; `moment`: its step; `step`: the step in an old link; `beside`: B's animation next to A's;
 * `on`: the device.
 */
const COMMON_KEYS = [
  'src',
  'shape',
  'name',
  'density',
  'seed',
  'tensor',
  'as',
  'layer',
  'matrix',
  'prune',
  'own',
  'model',
  'a',
  'b',
  'win',
  'beside',
  'frame',
  'moment',
  'step',
  'on',
  'tokens',
];

/** The name of a frame in an address: words with '-' between them. */
const FRAME_NAME = /^[a-zA-Z][a-zA-Z0-9-]{0,39}$/;

/** The prefix of the ids of formats that the user wrote. */
const MINE_PREFIX = 'mine:';

/** The key of the code of A or B, if the user wrote that format. Its value is the deflated text. */
function moduleKey(side: 'a' | 'b'): string {
  return `own-format.${side}`;
}

/** The value of `b` if only A is visible. */
const ALONE = 'none';

/** All keys of an address, including the keys of pages. No format may be called 'a' or 'b', which begin keys of A and B. */
export function reservedKeys(pages: readonly PageEntry[]): readonly string[] {
  return [...COMMON_KEYS, ...pages.flatMap(({ address }) => address?.keys ?? [])];
}

/** A format that the user wrote, as named in an address. */
export interface LinkedFormat {
  /** 'mine:NAME' */
  readonly id: string;
  /** its deflated code, if the link contains the code; else null */
  readonly link: string | null;
}

/** The content of an address: a document, what this page lacks for it, and problems. */
export interface DecodedHash {
  readonly document: AppDocument;
  /** formats that the user wrote and that this page does not have yet: others replace them; absent if there are none */
  readonly missingFormats?: readonly LinkedFormat[];
  /** the file of the address, if this page does not have it, and its message in `problems` */
  readonly notOpenFile?: { readonly name: string; readonly problem: string };
  /** one message for each invalid value, which has been replaced by its default */
  readonly problems: readonly string[];
  /** true if the hash is of another version of the syntax, or its matrix is damaged: what is open stays */
  readonly isRefused?: true;
}

/**
 * The document as the part of the address after '#':
 * `#2/watch?src=example:fc2-70&a=macko&a.deltaBits=4&a.valueType=f16&b=dense&b.valueType=f16&win=0,0,5,32&moment=6`.
 */
export function encodeHash(doc: AppDocument, catalog: Pick<Catalog, 'formats' | 'pages'>): string {
  const pairs: [string, string][] = [...sourcePairs(doc.source)];
  const add = (key: string, value: ParamValue): void => void pairs.push([key, String(value)]);
  const formatOf = (id: string) => catalog.formats.find((format) => format.id === id);
  const fieldsOf = (id: string) => paramFields(formatOf(id)?.params ?? {});
  const sides = [['a', choiceA(doc)] as const, ...(doc.formatB ? [['b', doc.formatB] as const] : [])];
  for (const [side, { format, params }] of sides) {
    add(side, format);
    for (const [name, field] of fieldsOf(format)) add(`${side}.${name}`, params[name] ?? field.default);
  }
  if (!doc.formatB) add('b', ALONE);
  for (const { id, params, sandboxed } of catalog.formats) {
    if (id === doc.format || sandboxed) continue;
    for (const [name, field] of paramFields(params)) {
      const value = doc.params[id]?.[name] ?? field.default;
      if (value !== field.default) add(`${id}.${name}`, value);
    }
  }
  for (const [side, { format }] of sides) {
    const link = formatOf(format)?.sandboxed?.link;
    if (link !== undefined) add(moduleKey(side), link);
  }
  if (doc.deviceChoice !== '') add('on', doc.deviceChoice);
  if (doc.tokens !== 1) add('tokens', doc.tokens);
  if (doc.window) {
    const { row, col, rows, cols } = doc.window;
    const windowText = `${row},${col},${rows},${cols}`;
    if (doc.edited === null) add('win', windowText);
    else add('own', `${windowText}:${doc.edited}`);
  }
  if (doc.isSideBySide && doc.formatB) add('beside', 1);
  if (doc.frame === null) add('moment', doc.step);
  else if (doc.frame !== 1) add('frame', doc.frame);
  const address = catalog.pages.find(({ id }) => id === doc.view)?.address;
  const state = address && pageState(doc, address);
  const path = address && state ? address.path(state) : '';
  if (address && state) for (const [key, value] of address.pairs(state)) add(key, value);
  const page = path === '' ? doc.view : `${doc.view}/${escapePath(path)}`;
  return `#${VERSION}/${page}?${pairs.map(([key, value]) => `${escapeText(key)}=${isCells(key, value) ? value : escapeText(value)}`).join('&')}`;
}

/** Whether a value has the cells of a matrix, whose characters need no escape: a link that is a third shorter. */
function isCells(key: string, value: string): boolean {
  return key === 'src' && value.startsWith('cells:');
}

function escapePath(text: string): string {
  return escapeText(text).replaceAll('%2F', '/');
}

/** Percent-encoding that leaves the separators of values readable. */
function escapeText(text: string): string {
  // A file may name a tensor with half a surrogate pair, which no address can contain.
  return encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/gu, '\ufffd'))
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',');
}

/**
 * The document that a hash describes. Never throws: unknown keys are ignored, missing ones take their default, invalid
 * values are each reported by a message and replaced by their default. `openFiles`: names of the open files; a link
 * cannot open any other.
 */
export function decodeHash(hash: string, catalog: Catalog, openFiles: ReadonlySet<string> = new Set()): DecodedHash {
  const firstScreen = firstDocument(catalog);
  const text = hash.replace(/^#/, '');
  if (text === '') return { document: firstScreen, problems: [] };
  const parts = /^([^/?]*)\/([^?]*)(?:\?(.*))?$/s.exec(text);
  if (!parts) {
    return {
      document: firstScreen,
      problems: [
        `Link: found '#${clip(text)}', expected '#${VERSION}/${firstScreen.view}?...'; the first screen is shown.`,
      ],
    };
  }
  const [, versionText, viewText, query = ''] = parts;
  if (versionText !== String(VERSION)) {
    return {
      document: firstScreen,
      problems: [`Link: found version '${clip(versionText)}', expected ${VERSION}; it is not opened.`],
      isRefused: true,
    };
  }
  const fallback = defaultDocument(catalog);

  // The page of the app, and a path below it.
  const isShort = viewText.length <= LINK_BOUNDS.value;
  const fields = new AddressFields(new URLSearchParams(query));
  const [page, ...below] = viewText.split('/');
  const entry = catalog.pages.find(
    ({ id, address }) => isShort && page === id && (below.length === 0 || address?.hasPath === true),
  );
  if (!entry) fields.problem('view', viewText, `one of ${idsText(catalog.pages)}`, `'${fallback.view}' is shown`);

  const path = unescaped(below.join('/'));
  // The matrix, and format A.
  const source: MatrixSource | null = decodeMatrixSource(fields, catalog, openFiles);
  const missingFormats: LinkedFormat[] = [];
  /** Whether the link names a custom format that is not open; it is then added to `missingFormats`. */
  const isMissing = (side: 'a' | 'b', value: string): boolean => {
    const isNotOpen = value.startsWith(MINE_PREFIX) && !catalog.formats.some(({ id }) => id === value);
    if (isNotOpen) missingFormats.push({ id: value, link: fields.read(moduleKey(side), (link) => link, true) });
    return isNotOpen;
  };
  const linkedFormat = fields.read('a', (value) => {
    if (catalog.formats.some((f) => f.id === value)) return value;
    if (isMissing('a', value)) return null;
    return fields.problem('a', value, `one of ${idsText(catalog.formats)}`, `'${fallback.format}' is shown`);
  });
  const formatId = linkedFormat ?? fallback.format;
  // A window, a frame and a step belong to the matrix and format of the link, not to their replacements.
  const sourceLost = namesSource(fields) && source === null;
  const formatLost = fields.has('a') && linkedFormat === null;
  /** the matrix that the format needs if the link names none */
  const needed = sourceLost ? null : sourceNeededBy(catalog, formatId);
  const edited = sourceLost ? null : fields.read('own', (value) => decodeEdited(value, fields), true);
  const window = sourceLost ? null : (edited?.window ?? fields.read('win', (value) => decodeWindow(value, fields)));
  const position = (key: 'frame' | 'moment' | 'step', min: number): number | null =>
    sourceLost || formatLost
      ? null
      : fields.read(key, (value) => fields.whole(key, value, min, Number.MAX_SAFE_INTEGER, min));
  // Older links have the number of a frame, without questions.
  const frame = (): FrameReference | null =>
    sourceLost || formatLost
      ? null
      : fields.read('frame', (value) => (FRAME_NAME.test(value) ? value : position('frame', 1)));
  const oldStep = position('step', 0) ?? 0;
  const step = position('moment', 0) ?? (fields.has('step') && !sourceLost && !formatLost ? oldStep : null);
  // 'step' had another meaning only in links to the first page, the animation.
  if (oldStep > 0 && !fields.has('moment') && entry?.id === fallback.view) fields.problems.push(stepCountNote(oldStep));
  // Everything else.
  const params = decodeParams(fields, catalog, formatLost ? null : formatId, source);
  const formatB = decodeAgainst(fields, catalog, fallback.formatB, source, isMissing);
  const tokens = fields.read('tokens', (text) => fields.whole('tokens', text, 1, MAX_TOKENS, 1)) ?? 1;
  const deviceChoice =
    fields.read('on', (text) => readDeviceId(text) ?? fields.problem('on', text, DEVICE_IDS, 'another is used')) ?? '';
  const state = entry?.address?.read(path, fields);
  const usual = sourceLost || !state ? null : entry?.address?.usual?.(state);
  // Some pages start with their own first matrix and window, unless the link, the page or the format names a matrix.
  const first = sourceLost || !entry?.startsWithFirstMatrix || (source ?? usual ?? needed) ? null : catalog.start.first;
  return {
    document: {
      view: entry?.id ?? fallback.view,
      source: source ?? usual ?? needed ?? first?.source ?? fallback.source,
      format: formatId,
      params,
      formatB,
      tokens,
      window: window ?? first?.window ?? null,
      edited: edited?.cells ?? null,
      isSideBySide: fields.read('beside', (value) => fields.whole('beside', value, 0, 1, 0)) === 1 && formatB !== null,
      frame: step === null ? (frame() ?? 1) : null,
      step: step ?? 0,
      deviceChoice,
      pages: entry && state ? { ...fallback.pages, [entry.id]: state } : fallback.pages,
    },
    ...(missingFormats.length > 0 && { missingFormats }),
    ...(sourceLost && notOpenFile(fields)),
    ...(sourceLost && namesCells(fields) && ({ isRefused: true } as const)),
    problems: fields.problems,
  };
}

/** The file of a link, if this page does not have it. */
function notOpenFile(fields: AddressFields): Pick<DecodedHash, 'notOpenFile'> {
  const name = fields.read('src', (text) => /^file:(.*)$/s.exec(text)?.[1] ?? null, true);
  const problem = notOpenProblem(name ?? '');
  // A name that is too long is reported as another problem.
  return name !== null && fields.problems.includes(problem) ? { notOpenFile: { name, problem } } : {};
}

function decodeWindow(text: string, fields: AddressFields): Region | null {
  const [row, col, rows, cols, ...rest] = text.split(',').map(wholeNumber);
  if (rest.length === 0 && isExtent(row) && isExtent(col) && isExtent(rows) && isExtent(cols)) {
    return { row, col, rows, cols };
  }
  return fields.problem('win', text, 'row,column,rows,columns such as 0,0,5,32', 'another is used');
}

/** A text percent-decoded; unchanged if it is not correctly encoded, since the user may have typed it. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The parameters of every format, by id. `current`: the id of format A, whose keys begin with 'a.'. */
function decodeParams(
  fields: AddressFields,
  catalog: Catalog,
  current: string | null,
  source: MatrixSource | null,
): Record<string, FormatParams> {
  return Object.fromEntries(
    catalog.formats.map((format) => {
      const isCurrent = format.id === current;
      const needed = isCurrent ? paramsNeededBy(catalog, format.id, source) : {};
      return [format.id, decodeFormat(fields, format, isCurrent ? 'a' : format.id, needed)];
    }),
  );
}

/** Format B with its parameters; the default if an address omits it or names an invalid one; null for 'none'. */
function decodeAgainst(
  fields: AddressFields,
  catalog: Catalog,
  fallback: FormatChoice | null,
  source: MatrixSource | null,
  isMissing: (side: 'b', value: string) => boolean,
): FormatChoice | null {
  if (!fields.has('b')) return fallback;
  const id = fields.read('b', (value) => {
    if (value === ALONE || catalog.formats.some((f) => f.id === value)) return value;
    if (isMissing('b', value)) return null;
    const expected = `${ALONE} or one of ${idsText(catalog.formats)}`;
    return fields.problem('b', value, expected, `'${fallback?.format ?? ALONE}' is used`);
  });
  if (id === ALONE) return null;
  const format = catalog.formats.find((candidate) => candidate.id === id);
  if (!format) return fallback;
  const needed = paramsNeededBy(catalog, format.id, source);
  return { format: format.id, params: decodeFormat(fields, format, 'b', needed) };
}

/** The parameters of a format, whose keys begin with `prefix`; if the link has none of them, `needed` and the defaults. */
function decodeFormat(
  fields: AddressFields,
  format: Catalog['formats'][number],
  prefix: string,
  needed: Partial<FormatParams>,
): FormatParams {
  const params: Record<string, ParamValue> = {};
  const paramEntries = paramFields(format.params);
  const replacements = paramEntries.some(([name]) => fields.has(`${prefix}.${name}`)) ? {} : needed;
  for (const [name, field] of paramEntries) {
    const key = `${prefix}.${name}`;
    params[name] =
      fields.read(key, (text) => {
        const value =
          field.kind === 'choice' ? field.options.find((o) => String(o.value) === text)?.value : wholeNumber(text);
        if (paramAccepts(field, value)) return value;
        return fields.problem(key, text, paramExpectation(field), `${String(field.default)} is used`);
      }) ??
      replacements[name] ??
      field.default;
  }
  const unusable = format.unusable?.(params) ?? null;
  if (unusable === null) return params;
  fields.problem(
    `parameters of ${format.id}`,
    Object.values(params).join(', '),
    `values that allow a non-zero (${unusable})`,
    'the defaults are used',
  );
  return defaultParams(format.params);
}

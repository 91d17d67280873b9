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
} from './document.ts';
import { OLD_DEVICE_KEYS, type PlaceEntry, placeState } from './place-address.ts';
import { Fields, ids, isExtent, wholeNumber } from './url-fields.ts';
import { decodePruned, sourcePairs } from './url-source.ts';

/** Version of the syntax, the first thing in the hash. */
const VERSION = '1';

/** Keys that every place has. */
const COMMON_KEYS = [
  'src',
  'shape',
  'density',
  'seed',
  'tensor',
  'layer',
  'matrix',
  'prune',
  'fmt',
  'win',
  'step',
  'on',
];

/**
 * The keys of the syntax, those of places included. A format's own parameters have their plain names when the format is on
 * the stage, and 'format.name' when it is not and the value is not the default, or when older addresses did not name it
 * and meant another; no parameter may be called like a key.
 */
export function reservedKeys(places: readonly PlaceEntry[]): readonly string[] {
  return [...COMMON_KEYS, ...places.flatMap(({ address }) => address?.keys ?? [])];
}

export interface DecodedHash {
  readonly document: AppDocument;
  /** one sentence for each wrong value, which has been replaced by its default */
  readonly problems: readonly string[];
}

/**
 * The document as the part of the address after '#':
 * `#1/visualize?src=example:fc2-70&fmt=macko&deltaBits=4&valueType=f16&win=0,0,5,32&step=6`.
 */
export function encodeHash(doc: AppDocument, catalog: Pick<Catalog, 'formats' | 'places'>): string {
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
  if (doc.on !== '') pairs.push(['on', doc.on]);
  const address = catalog.places.find(({ id }) => id === doc.view)?.address;
  const state = address && placeState(doc, address);
  const path = address && state ? address.path(state) : '';
  if (address && state) for (const [key, value] of address.pairs(state)) pairs.push([key, value]);
  const place = path === '' ? doc.view : `${doc.view}/${escapePath(path)}`;
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
      problems: [
        `Link: found '#${clip(text)}', expected '#${VERSION}/${fallback.view}?...'; the first screen is shown.`,
      ],
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
  const entry = catalog.places.find(
    ({ id, address }) => isShort && id === place && (below.length === 0 || address?.hasPath === true),
  );
  const view = entry?.id;
  if (!entry) fields.problem('view', viewText, `one of ${ids(catalog.places)}`, `'${fallback.view}' is shown`);

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
      on: chosenDevice(fields),
      places: entry?.address
        ? { ...fallback.places, [entry.id]: entry.address.read(unescaped(below.join('/')), fields) }
        : fallback.places,
    },
    problems: fields.problems,
  };
}

/** Older addresses have what was chosen of a place. What a text means is up to `devices/ids.ts`. */
function chosenDevice(fields: Fields): string {
  return ['on', ...OLD_DEVICE_KEYS].map((key) => fields.read(key, (text) => text)).find((text) => text) ?? '';
}

function decodeWindow(text: string, fields: Fields): Region | null {
  const [row, col, rows, cols, ...rest] = text.split(',').map(wholeNumber);
  if (rest.length === 0 && isExtent(row) && isExtent(col) && isExtent(rows) && isExtent(cols)) {
    return { row, col, rows, cols };
  }
  return fields.problem('win', text, 'row,column,rows,columns such as 0,0,5,32', 'a window is chosen for you');
}

/** Text that somebody may have typed: anything that is not percent-encoding is kept. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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

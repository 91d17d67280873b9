import { MAX_EXTENT, EDITED_BOUNDS, LINK_CELLS_BOUNDS } from '../core/bounds/bounds.ts';
import { excessProblem } from '../core/bounds/check.ts';
import { clip } from '../core/bounds/quote.ts';
import { readCells } from '../core/cells/edited-cells.ts';
import { readLinkCells } from '../core/cells/link-cells.ts';
import { messageOf } from '../core/error-messages.ts';
import type { Region } from '../core/matrix/index.ts';
import type { GenerateSpec } from '../generate/generate.ts';
import type { BaseSource, CellsSource, LinesAs, MatrixSource, Pruning } from '../engine/matrix/source-types.ts';
import type { Catalog, Pattern } from './document.ts';
import { type AddressFields, idsText, isExtent, wholeNumber } from './url-fields.ts';

// Encodes and decodes the part of an address that names a matrix: its source, pruning and edited cells.

const OPTION_PREFIX = 'opt.';

/** The shape, density and seed of a generated source whose link omits them. */
const GENERATED_DEFAULT = { rows: 1024, cols: 1024, density: 0.1, seed: 1 } as const;

/** A source as the key-value pairs of a link. */
export function sourcePairs(source: MatrixSource): [string, string][] {
  if (source.kind === 'example') return [['src', `example:${source.id}`]];
  if (source.kind === 'pruned') {
    return [...sourcePairs(source.base), ['prune', pruningText(source.pruning)]];
  }
  if (source.kind === 'file' || source.kind === 'remote') {
    const name = source.kind === 'file' ? source.name : source.link;
    const { tensor, as: linesAs } = source;
    // A link without `as` is read as by version 0.2, whose links have none.
    const isExplicit = linesAs === 'entries' || linesAs === 'table';
    return [
      ['src', `${source.kind}:${name}`],
      ...(tensor === undefined ? [] : texts({ tensor })),
      ...(isExplicit ? texts({ as: linesAs }) : []),
    ];
  }
  if (source.kind === 'cells') {
    const { rows, cols, cells, name } = source;
    return [['src', `cells:${cells}`], ['shape', `${rows}x${cols}`], ...(name === undefined ? [] : texts({ name }))];
  }
  if (source.kind === 'model') {
    const { kind, model, ...layerAndMatrix } = source;
    return [[kind, model], ...texts(layerAndMatrix)];
  }
  const { pattern, rows, cols, density, seed, options = {} } = source.spec;
  return [
    ['src', `generated:${pattern}`],
    ['shape', `${rows}x${cols}`],
    ['density', String(density)],
    ['seed', String(seed)],
    ...texts(options).map(([name, value]): [string, string] => [OPTION_PREFIX + name, value]),
  ];
}

/** The values of an object as texts, with their names. */
function texts(values: object): [string, string][] {
  return Object.entries(values).map(([name, value]) => [name, String(value)]);
}

/** A pruning as a link writes it: 'magnitude:0.3', 'rows:0.3', 'wanda:0.3', 'random:0.3:1', 'n-of-m:2:4'. */
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

/** Whether a link names a source ('src') or a matrix of a model ('model'). */
export function namesSource(fields: AddressFields): boolean {
  return fields.has('src') || fields.has('model');
}

/** The source that a link names, with its pruning; null if it names none, or an unknown one, which is reported. */
export function decodeMatrixSource(
  fields: AddressFields,
  catalog: Catalog,
  openFiles: ReadonlySet<string>,
): MatrixSource | null {
  const base = fields.has('src')
    ? fields.read('src', (text) => decodeSource(text, fields, catalog, openFiles))
    : fields.read('model', (model) => decodeModel(model, fields));
  if (base === null) return null;
  const pruning = fields.read('prune', (value) => decodePruning(value, fields));
  return pruning === null ? base : { kind: 'pruned', base, pruning };
}

/** A window (part of a matrix) and its edited cells, from a link's key 'own'; null if invalid, which is reported. */
export function decodeEdited(
  text: string,
  fields: AddressFields,
): { readonly window: Region; readonly cells: string } | null {
  const fault = excessProblem(text.length, EDITED_BOUNDS.length, 'characters');
  const [, position = '', cells = ''] = /^(\d+(?:,\d+){3}):([-+\d.:;,e]*)$/.exec(fault === null ? text : '') ?? [];
  const [row, col, rows, cols] = position.split(',').map(wholeNumber);
  if (isExtent(row) && isExtent(col) && isExtent(rows) && isExtent(cols) && isCells(cells, rows, cols))
    return { window: { row, col, rows, cols }, cells };
  const { side } = EDITED_BOUNDS;
  const expected = `ROW,COLUMN,ROWS,COLUMNS:CELLS such as 0,0,1,8:1:0.5;4:-2, as many cells as ${side} × ${side}`;
  return fields.problem('own', text, expected, 'shown as it is');
}

function isCells(text: string, rows: number, cols: number): boolean {
  try {
    readCells(text, rows, cols);
    return true;
  } catch {
    return false;
  }
}

function decodePruning(text: string, fields: AddressFields): Pruning | null {
  const [pruningWay, first = '', second = '', ...extraParts] = text.split(':');
  const density = /^(\d+\.?\d*|\.\d+)(e-?\d+)?$/i.test(first) ? Number(first) : Number.NaN;
  const hasDensity = density >= 0 && density <= 1 && extraParts.length === 0;
  if ((pruningWay === 'magnitude' || pruningWay === 'rows' || pruningWay === 'wanda') && hasDensity && second === '')
    return { way: pruningWay, density };
  const [kept, group, seed] = [wholeNumber(first), wholeNumber(second), wholeNumber(second)];
  if (pruningWay === 'random' && hasDensity && seed !== null && seed >= 0 && seed < 2 ** 32)
    return { way: pruningWay, density, seed };
  const isPattern =
    kept !== null && group !== null && kept >= 1 && kept <= group && group <= 64 && extraParts.length === 0;
  if (pruningWay === 'n-of-m' && isPattern) return { way: pruningWay, kept, group };
  const expected = 'magnitude:0.5, rows:0.5, wanda:0.5, random:0.5:1 or n-of-m:2:4';
  return fields.problem('prune', text, expected, 'the whole matrix is shown');
}

/** What the page does if a source is unknown, for messages. */
const INSTEAD = 'the first example is shown';

/** The problem of a link about a file that this page does not have. */
export function notOpenProblem(name: string): string {
  return `This link was made for a file on another computer (${clip(name)}). You see an example instead.`;
}

/** Whether a link contains its matrix cell by cell. */
export function namesCells(fields: AddressFields): boolean {
  return fields.read('src', (text) => (text.startsWith(CELLS) ? true : null), true) === true;
}

const CELLS = 'cells:';

/** The matrix of a link that contains its cells; null if they are invalid, which is reported. */
function decodeCells(cells: string, fields: AddressFields): CellsSource | null {
  const reject = (problem: string): null => {
    fields.problems.push(`Link, ${problem}; it is not opened.`);
    return null;
  };
  const [rows, cols, ...extraExtents] = (fields.read('shape', (text) => text) ?? '').split('x').map(wholeNumber);
  if (extraExtents.length > 0 || !isExtent(rows) || !isExtent(cols)) {
    return reject(`shape: found '${clip(fields.read('shape', (text) => text) ?? '')}', expected ROWSxCOLUMNS`);
  }
  const name = fields.read('name', (text) => text);
  const fault = name === null ? null : excessProblem(name.length, LINK_CELLS_BOUNDS.name, 'characters');
  if (fault !== null) return reject(`name: ${fault}`);
  try {
    readLinkCells(cells, rows, cols);
  } catch (error) {
    return reject(messageOf(error));
  }
  return { kind: 'cells', rows, cols, cells, ...(name !== null && { name }) };
}

function decodeSource(
  text: string,
  fields: AddressFields,
  catalog: Catalog,
  openFiles: ReadonlySet<string>,
): BaseSource | null {
  const fileParts = {
    ...fields.read('tensor', (value) => ({ tensor: value })),
    ...fields.read('as', (value) => decodeLines(value, fields)),
  };
  const [, kind, name] = /^([^:]*):?(.*)$/s.exec(text) ?? ['', '', ''];
  if (kind === 'cells') return decodeCells(name, fields);
  if (kind === 'example') {
    if (catalog.examples.some((e) => e.id === name)) return { kind, id: name };
    return fields.problem('src', text, `one of the examples ${idsText(catalog.examples)}`, INSTEAD);
  }
  if (kind === 'file' && name !== '') {
    if (openFiles.has(name)) return { kind, name, ...fileParts };
    fields.problems.push(notOpenProblem(name));
    return null;
  }
  if (kind === 'remote' && name !== '') return { kind, link: name, ...fileParts };
  if (kind === 'generated') {
    const pattern = catalog.patterns.find((p) => p.id === name);
    if (pattern) return { kind, spec: decodeSpec(pattern, fields) };
    return fields.problem('src', text, `one of the patterns ${idsText(catalog.patterns)}`, INSTEAD);
  }
  return fields.problem('src', text, `'example:', 'generated:', 'cells:', 'remote:' or 'file:' and a name`, INSTEAD);
}

/** How to read the lines of a text table; null if unknown, which is reported. */
function decodeLines(text: string, fields: AddressFields): { readonly as: LinesAs } | null {
  if (text === 'entries' || text === 'table') return { as: text };
  return fields.problem('as', text, "'entries' or 'table'", 'it is read as version 0.2 did');
}

/** A model, layer or matrix; whether it exists is checked when it is opened. */
function decodeModel(model: string, fields: AddressFields): BaseSource {
  const layer = fields.read('layer', (value) => ({ layer: fields.whole('layer', value, 0, MAX_EXTENT, 0) }));
  return { kind: 'model', model, ...layer, ...fields.read('matrix', (matrix) => ({ matrix })) };
}

function decodeSpec(pattern: Pattern, fields: AddressFields): GenerateSpec {
  const { rows, cols, density, seed } = GENERATED_DEFAULT;
  const shape = fields.read('shape', (value) => decodeShape(value, fields)) ?? { rows, cols };
  const options: Record<string, number> = {};
  for (const option of pattern.options) {
    const key = OPTION_PREFIX + option.id;
    const value = fields.read(key, (text) => {
      const read = option.isInteger ? fields.whole : fields.number;
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

function decodeShape(text: string, fields: AddressFields): { rows: number; cols: number } | null {
  const [rows, cols, ...extraExtents] = text.split('x').map(wholeNumber);
  if (extraExtents.length === 0 && isExtent(rows) && isExtent(cols)) return { rows, cols };
  const { rows: defaultRows, cols: defaultCols } = GENERATED_DEFAULT;
  return fields.problem(
    'shape',
    text,
    `ROWSxCOLUMNS, each at most ${MAX_EXTENT}`,
    `${defaultRows}x${defaultCols} is used`,
  );
}

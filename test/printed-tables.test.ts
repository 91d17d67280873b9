import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENTRIES } from '../scripts/package-entries.mjs';
import { declaredLength, lengthText } from '../src/core/declared/card.ts';
import { declarationOf } from '../src/core/declared/declarations.ts';
import { arraysOf, type TypedDeclaration } from '../src/core/declared/declared-arrays.ts';
import { sharesBytes } from '../src/core/declared/element-type.ts';
import { fieldsOf } from '../src/core/declared/word-fields.ts';
import { type AnyFormat, defaultParams, namedArrays } from '../src/core/format.ts';
import { denseMatrix } from '../src/core/matrix/index.ts';
import { formatById, formats } from '../src/formats/registry.ts';
import { paramFields } from '../src/state/index.ts';
import { allParams } from './arbitraries.ts';
import { storedNameRows } from './compat/stored-names.ts';
import { PAGES } from './pages.ts';

/**
 * Tables of docs that repeat code are generated from it, between `<!-- printed: NAME -->` and `<!-- /printed -->`. `npm run
 * printed` regenerates them.
 */

type Row = readonly string[];

/** The parameters of a format with their values: 'deltaBits: 1, 2, 4, 8; valueType: f16, f32, i8'. */
function paramsText(format: AnyFormat): string {
  const texts = paramFields(format.params).map(([name, field]) => {
    if (field.kind === 'integer') return `${name}: ${field.min} to ${field.max}`;
    const values = field.options.map((option) => String(option.value));
    return `${name}: ${values.toSorted((a, b) => Number(a) - Number(b) || a.localeCompare(b)).join(', ')}`;
  });
  return texts.join('; ');
}

function formatRow(format: AnyFormat): Row {
  const encoded = format.encode(denseMatrix(1, 1, Float32Array.of(1)), defaultParams(format.params));
  return [format.id, paramsText(format), [...namedArrays(encoded).keys()].join(', ')];
}

/** Returns the type of an array's elements, and the word in which they are packed, if they share one. */
function typeText(array: TypedDeclaration): readonly [type: string, shared: string] {
  const { type, element, inWords = false, quantised } = array;
  const fields = fieldsOf(array).map((field) => `${field.name} ${field.type.name}`);
  if (fields.length > 0) return [`${type}: ${fields.join(', ')}`, ''];
  const shared = inWords ? ' in u32' : sharesBytes(element) ? ' in u8' : '';
  return [type, `${shared}${quantised ? ` × \`${quantised.scales}\`` : ''}`];
}

const distinct = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts)].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));

/** The arrays of a declared format, with any parameters. */
function arrayRows(id: string): readonly Row[] {
  const format = formatById(id);
  const declared = declarationOf(format);
  if (!declared) throw new RangeError(`${id}: found no declaration`);
  // 70,000 columns need indices of more than 16 bits.
  const shapes = [600, 70_000].map((cols) => ({ rows: 9, cols, nnz: 9 }));
  const used = shapes
    .flatMap((shape) => allParams(format).flatMap((params) => arraysOf(declared, params, shape)))
    .filter((array) => declaredLength(array, shapes[0]) !== 0);
  const rows = [...new Set(used.map(({ name }) => name))].map((name): Row => {
    const variants = used.filter((array) => array.name === name);
    const types = variants.map(typeText);
    const [shared, ...others] = distinct(types.map(([, sharedText]) => sharedText));
    const type =
      others.length === 0
        ? distinct(types.map(([elementType]) => elementType)).join(', ') + shared
        : distinct(types.map((parts) => parts.join(''))).join(', ');
    const { role, meaning } = variants[0];
    const length = distinct(variants.map(lengthText)).join('; ');
    return [`\`${name}\``, role, type, ...[length, meaning].map((text) => text.replaceAll('*', '×'))];
  });
  return [['array', 'role', 'type', 'length', 'meaning'], ...rows];
}

/** Returns the first sentence of the docstring of an exported name, from the file that declares it. */
function docOf(name: string, file: string): string {
  const text = readFileSync(file, 'utf8');
  const docs = String.raw`/\*\*((?:(?!\*/)[^])*)\*/\n(?:// .*\n)?`;
  const kinds = 'async function|function|const|class|interface|type';
  const declared = new RegExp(`(?:${docs})?export (?:${kinds}) ${name}\\b`).exec(text);
  if (declared) {
    const message = (declared[1] ?? '').replaceAll(/\n \*/g, ' ').replaceAll(/\s+/g, ' ').trim();
    return (/^.*?\.(?= [A-Z`]|$)/.exec(message)?.[0] ?? message).replaceAll('|', '\\|');
  }
  const [exported = '', from = null] = exportsOf(file).find(([found]) => outsideOf(found) === name) ?? [];
  if (from === null) throw new RangeError(`${file}: found no '${name}'`);
  return docOf(exported.split(' as ')[0], resolve(dirname(file), from));
}

/**
 * Returns the names that a file exports, each with the file that declares it; null: the file itself. Names of `export *`
 * come last, without those that the file exports by name.
 */
function exportsOf(file: string): readonly (readonly [name: string, from: string | null])[] {
  const text = readFileSync(file, 'utf8');
  const reexported = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(([, names, from]) =>
    names.split(',').map((name) => [name.trim().replace(/^type /, ''), from] as const),
  );
  const declared = [...text.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm)];
  const named = [...reexported.filter(([name]) => name !== ''), ...declared.map(([, name]) => [name, null] as const)];
  const all = [...text.matchAll(/^export \* from '([^']+)'/gm)].flatMap(([, from]) =>
    exportsOf(resolve(dirname(file), from)).map(([name]) => [outsideOf(name), from] as const),
  );
  return [...named, ...all.filter(([name]) => !named.some(([known]) => outsideOf(known) === name))];
}

/** The name that others import: 'b' of 'a as b'. */
const outsideOf = (name: string): string => name.split(' as ').at(-1) ?? name;

/** Returns the exports of the package's entries. One row stands for the kernels of all formats. */
function packageRows(): readonly Row[] {
  const lib = resolve(import.meta.dirname, '../src/lib');
  const [first] = readdirSync(resolve(lib, 'kernels'));
  const rows = Object.entries(ENTRIES).flatMap(([path, name]) => {
    if (name.startsWith('kernels/') && `${name}.ts` !== `kernels/${first}`) return [];
    const entry = path.replace(/^\./, 'sparsescope');
    const file = resolve(lib, `${name}.ts`);
    if (name === 'core')
      return [[entry, 'all of sparsescope', 'The same names; what a format needs is not loaded later.']];
    if (name.startsWith('kernels/')) {
      return [
        [
          'sparsescope/ID/kernels',
          'the format',
          'The format of sparsescope/ID with its kernels, for `run` and `bench`.',
        ],
      ];
    }
    return exportsOf(file).map(([exported]): Row => {
      const outside = outsideOf(exported);
      return [entry, `\`${outside}\``, docOf(outside, file)];
    });
  });
  return rows;
}

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  ...Object.fromEntries(formats.filter(declarationOf).map(({ id }) => [id, arrayRows(id)])),
  package: [['entry', 'name', 'what it is'], ...packageRows()],
  formats: [['id', 'parameters', 'arrays'], ...formats.map(formatRow)],
  stored: [['what', 'stored in', 'names'], ...storedNameRows()],
  places: [
    ['place', 'address', 'its own keys', 'links it answers'],
    ...PAGES.map(({ id, title, address, links = {} }) => [
      title,
      `#2/${id}${address?.hasPath ? '/…' : ''}`,
      (address?.keys ?? []).join(', '),
      Object.keys(links).join(', '),
    ]),
  ],
};

/** A table in Markdown, with columns as wide as the formatter makes them. */
function tableText([head, ...rows]: readonly Row[]): string {
  const widths = head.map((_, i) => [head, ...rows].reduce((max, row) => Math.max(max, row[i].length), 3));
  const line = (row: Row): string => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** A page with its tables regenerated. */
function printed(page: string): string {
  return page.replace(
    /(<!-- printed: ([\w-]+) -->\n\n)[^]*?(\n\n<!-- \/printed -->)/g,
    (_, begin: string, name: string, end: string) => `${begin}${tableText(TABLES[name])}${end}`,
  );
}

describe('generated tables of the docs', () => {
  it('replace the text between their marks', () => {
    const page = '# A\n\n<!-- printed: formats -->\n\nold\n\n<!-- /printed -->\n\nB\n';
    const lines = printed(page).split('\n');
    expect(lines[4]).toMatch(/^\| id +\| parameters +\| arrays +\|$/);
    expect(lines.length).toBe(page.split('\n').length + formats.length + 1);
    expect(lines.slice(-4)).toEqual(['<!-- /printed -->', '', 'B', '']);
  });

  it.each([
    ['reference.md', ['places', 'package', 'formats', 'csr', 'ell', 'bitmask', 'stored']],
    ['formats/bsr.md', ['bsr']],
    ['formats/ec-csr.md', ['ec-csr']],
    ['formats/macko.md', ['macko']],
    ['formats/slidesparse.md', ['slidesparse']],
    ['formats/twell.md', ['twell', 'hybrid']],
  ])('in docs/%s are up to date (npm run printed)', async (name, tables) => {
    const path = resolve(import.meta.dirname, '../docs', name);
    const page = readFileSync(path, 'utf8');
    expect([...page.matchAll(/<!-- printed: ([\w-]+) -->/g)].map(([, table]) => table)).toEqual(tables);
    await expect(printed(page), 'npm run printed').toMatchFileSnapshot(path);
  });
});

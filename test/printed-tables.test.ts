import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { declaredLength } from '../src/core/declared/card.ts';
import { declarationOf } from '../src/core/declared/derived.ts';
import { arraysOf } from '../src/core/declared/derive.ts';
import { fieldsOf } from '../src/core/declared/words.ts';
import { type AnyFormat, defaultParams, namedArrays } from '../src/core/format.ts';
import { denseMatrix } from '../src/core/matrix/index.ts';
import { limits } from '../src/formats/limits.ts';
import { formatById, formats } from '../src/formats/registry.ts';
import { paramFields } from '../src/state/index.ts';
import { allParams } from './arbitraries.ts';
import { PLACES } from './places.ts';

/**
 * Tables of docs that repeat code are generated from it, between `<!-- printed: NAME -->` and `<!-- /printed -->`. `npx
 * vitest run --project unit test/printed-tables.test.ts -u` regenerates them.
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

/** The arrays of a declared format, whatever its parameters: their types, or what shares a word, and their lengths in words. */
function arrayRows(id: string): readonly Row[] {
  const format = formatById(id);
  const declared = declarationOf(format);
  if (!declared) throw new RangeError(`${id}: found no declaration`);
  const shape = { rows: 9, cols: 600, nnz: 9 };
  const all = allParams(format).flatMap((params) => arraysOf(declared, params, shape));
  const used = all.filter((array) => declaredLength(array, shape) !== 0).map((array) => [array.name, array] as const);
  return [...new Map(used).values()].map((array) => {
    const fields = fieldsOf(array).map(({ name, type }) => `${name} ${type.name}`);
    const type = fields.length > 0 ? `${array.type}: ${fields.join(', ')}` : array.type;
    return [
      `\`${array.name}\``,
      type,
      ...[array.lengthSays ?? '', array.meaning].map((text) => text.replaceAll('*', '×')),
    ];
  });
}

const limitsById = Object.entries(limits).toSorted(([a], [b]) => (a < b ? -1 : 1));

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  limits: [['kernel', 'what limits it', 'known by'], ...limitsById.map(([id, { says, known }]) => [id, says, known])],
  twell: [['array', 'type', 'length', 'meaning'], ...arrayRows('twell')],
  hybrid: [['array', 'type', 'length', 'meaning'], ...arrayRows('hybrid')],
  formats: [['id', 'parameters', 'arrays'], ...formats.map(formatRow)],
  places: [
    ['place', 'address', 'its own keys', 'links it answers'],
    ...PLACES.map(({ id, title, address, links = {} }) => [
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
    /(<!-- printed: (\w+) -->\n\n)[^]*?(\n\n<!-- \/printed -->)/g,
    (_, begin: string, name: string, end: string) => `${begin}${tableText(TABLES[name])}${end}`,
  );
}

describe('tables of the docs that repeat code', () => {
  it('are printed between their marks, whatever was there', () => {
    const page = '# A\n\n<!-- printed: formats -->\n\nold\n\n<!-- /printed -->\n\nB\n';
    const lines = printed(page).split('\n');
    expect(lines[4]).toMatch(/^\| id +\| parameters +\| arrays +\|$/);
    expect(lines.length).toBe(page.split('\n').length + formats.length + 1);
    expect(lines.slice(-4)).toEqual(['<!-- /printed -->', '', 'B', '']);
  });

  it.each([
    ['limits.md', ['limits']],
    ['reference.md', ['places', 'formats']],
    ['formats/twell.md', ['twell', 'hybrid']],
  ])('docs/%s has the tables generated from the code', async (name, tables) => {
    const path = resolve(import.meta.dirname, '../docs', name);
    const page = readFileSync(path, 'utf8');
    expect([...page.matchAll(/<!-- printed: (\w+) -->/g)].map(([, table]) => table)).toEqual(tables);
    await expect(printed(page)).toMatchFileSnapshot(path);
  });
});

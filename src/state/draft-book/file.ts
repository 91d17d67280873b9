import { DRAFT_BOUNDS } from '../../core/bounds/bounds.ts';
import { checkBound } from '../../core/bounds/check.ts';
import { seen, SparseScopeError } from '../../core/errors.ts';
import type { PortableDraft } from './draft.ts';

/** The first line of a file, with the version of its syntax. */
const FIRST = '// SparseScope draft 1';

const OVERRIDE = /^\/\/ override (\w+) = (\S+)$/;
const FIELD = /^\/\/ (kernel|name|params): (.*)$/;
const FILE = /^\/\/ ---- (\S+)$/;

/** A line of code that looks like the head of a file, with backslashes that keep it from being one. */
const LIKE_FILE = /^\/\/ (\\*)---- /;

/**
 * A draft as WGSL: a head of comments that says which kernel it changes, then every changed file below a line with its
 * path. `parseDraft` reads it back.
 */
export function draftText({ kernel, name, params, files, overrides }: PortableDraft): string {
  return [
    FIRST,
    `// kernel: ${kernel}`,
    `// name: ${oneLine(name)}`,
    `// params: ${JSON.stringify(params)}`,
    ...Object.entries(overrides).map(([constant, value]) => `// override ${constant} = ${value}`),
    ...Object.entries(files).flatMap(([path, code]) => [`// ---- ${path}`, escaped(code)]),
  ].join('\n');
}

function escaped(code: string): string {
  return code
    .split('\n')
    .map((line) => line.replace(LIKE_FILE, String.raw`// $1\---- `))
    .join('\n');
}

function unescaped(line: string): string {
  return line.replace(/^\/\/ \\(\\*)---- /, '// $1---- ');
}

/** The start of a line of somebody else, as it can stand in a sentence. */
function quoted(line: string): string {
  return line === '' ? 'nothing' : `'${seen(line.length > 60 ? `${line.slice(0, 60)}…` : line)}'`;
}

/** Names are a line of the head. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/**
 * The draft that a text holds. `source` says in messages what the text is: 'draft.wgsl'. Throws SparseScopeError for any
 * other text.
 */
export function parseDraft(source: string, text: string): PortableDraft {
  checkBound(source, text.length, DRAFT_BOUNDS.length, 'characters');
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines[0] !== FIRST) {
    throw new SparseScopeError(`${source}, line 1: found ${quoted(lines[0])}, expected '${FIRST}'`);
  }
  const fields = new Map<string, string>();
  const overrides: [string, number][] = [];
  let i = 1;
  for (; i < lines.length && !FILE.test(lines[i]); i++) {
    const [, field, value] = FIELD.exec(lines[i]) ?? [];
    const [, constant, number] = OVERRIDE.exec(lines[i]) ?? [];
    if (field !== undefined) fields.set(field, value);
    else if (constant !== undefined && Number.isFinite(Number(number))) overrides.push([constant, Number(number)]);
    else if (lines[i].trim() !== '') {
      const expected = 'kernel, name, params, an override such as STEPS = 6, or ---- and a path';
      throw new SparseScopeError(
        `${source}, line ${i + 1}: found ${quoted(lines[i])}, expected a comment with ${expected}`,
      );
    }
  }
  const kernel = fields.get('kernel') ?? '';
  if (kernel === '') throw new SparseScopeError(`${source}: found no line '// kernel: ', which says what it changes`);
  const files: [string, string[]][] = [];
  for (; i < lines.length; i++) {
    const [, path] = FILE.exec(lines[i]) ?? [];
    if (path !== undefined) files.push([path, []]);
    else files.at(-1)?.[1].push(unescaped(lines[i]));
  }
  return {
    kernel,
    name: oneLine(fields.get('name') ?? '') || kernel,
    params: paramsIn(source, fields.get('params') ?? '{}'),
    files: Object.fromEntries(files.map(([path, code]) => [path, code.join('\n')])),
    overrides: Object.fromEntries(overrides),
  };
}

function paramsIn(source: string, text: string): PortableDraft['params'] {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Said below, like every other text that holds no parameters.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new SparseScopeError(`${source}, params: found ${quoted(text)}, expected an object in JSON`);
}

// Drafts as text files: the changed files and overrides behind a head.

import { DRAFT_BOUNDS } from '../../theory/bounds.ts';
import { checkBound, excessProblem } from '../../../../src/core/bounds/check.ts';
import { clip } from '../../../../src/core/bounds/quote.ts';
import { withVisibleSigns, SparseScopeError } from '../../../../src/core/errors.ts';
import { deflatedText, inflatedText } from '../../library/deflated-text.ts';
import type { PortableDraft } from './draft.ts';

/** The first line of a draft's file, with the version of its syntax. */
const FIRST_LINE = '// SparseScope draft 1';

const OVERRIDE_LINE = /^\/\/ override ([A-Za-z_]\w*) = (\S+)$/;
const FIELD_LINE = /^\/\/ (kernel|name|params): (.*)$/;
const FILE_HEADING = /^\/\/ ---- ([\w./-]+(?:#\w+)?)$/;

/** A line of code that resembles a file heading; it is saved with one more backslash. */
const LIKE_HEADING = /^\/\/ (\\*)---- /;

/**
 * A draft (a user's changed kernel) as one text, for a file or a link: comments that name the kernel, then each
 * changed file below its path. `parseDraft` reads it.
 */
export function draftText({ kernel, name, params, files, overrides }: PortableDraft): string {
  return [
    FIRST_LINE,
    `// kernel: ${kernel}`,
    `// name: ${draftName(name)}`,
    `// params: ${JSON.stringify(params)}`,
    ...Object.entries(overrides).map(([constant, value]) => `// override ${constant} = ${value}`),
    ...Object.entries(files).flatMap(([path, code]) => [`// ---- ${path}`, escaped(code)]),
  ].join('\n');
}

function escaped(code: string): string {
  return code
    .split('\n')
    .map((line) => line.replace(LIKE_HEADING, String.raw`// $1\---- `))
    .join('\n');
}

function unescaped(line: string): string {
  return line.replace(/^\/\/ \\(\\*)---- /, '// $1---- ');
}

/** The start of a line in quotes, for an error message. */
function quoted(line: string): string {
  return line === '' ? 'nothing' : `'${clip(line)}'`;
}

/** A valid draft name: one line without invisible characters, shortened if too long. */
export function draftName(text: string): string {
  const line = withVisibleSigns(
    text
      .slice(0, 4 * DRAFT_BOUNDS.name)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  // Do not end with half of a surrogate pair.
  return line
    .slice(0, DRAFT_BOUNDS.name)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}

/** A draft's name as a file name that is valid on every system. */
export function fileName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'draft';
}

/** Why a draft would be too long with this new text of a file, as a message; null if it would not. */
export function tooLong(draft: PortableDraft, path: string, code: string): string | null {
  const files = { ...draft.files, [path]: code };
  const characters = code.length > DRAFT_BOUNDS.length ? code.length : draftText({ ...draft, files }).length;
  const fault = excessProblem(characters, DRAFT_BOUNDS.length, 'characters');
  return fault === null ? null : `The draft would be too long: ${fault}; unchanged.`;
}

/** Parses a draft. `source` names the text in messages: 'draft.wgsl'. Throws SparseScopeError if it is not a draft. */
export function parseDraft(source: string, text: string): PortableDraft {
  checkBound(source, text.length, DRAFT_BOUNDS.length, 'characters');
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines[0] !== FIRST_LINE) {
    throw new SparseScopeError(`${source}, line 1: found ${quoted(lines[0])}, expected '${FIRST_LINE}'`);
  }
  const fields = new Map<string, string>();
  const overrides: [string, number][] = [];
  // The head: fields and overrides, up to the first file.
  let i = 1;
  for (; i < lines.length && !FILE_HEADING.test(lines[i]); i++) {
    const [, field, value] = FIELD_LINE.exec(lines[i]) ?? [];
    const [, constant, number] = OVERRIDE_LINE.exec(lines[i]) ?? [];
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
  if (kernel === '') throw new SparseScopeError(`${source}: found no line '// kernel: '`);
  checkWord(source, 'kernel', kernel);
  checkBound(source, overrides.length, DRAFT_BOUNDS.overrides, 'overrides');
  for (const [constant] of overrides) checkWord(source, 'override', constant);
  // The files, each with its lines below its path.
  const files: [path: string, code: string[]][] = [];
  for (; i < lines.length; i++) {
    const [, path] = FILE_HEADING.exec(lines[i]) ?? [];
    if (path !== undefined) files.push([path, []]);
    else files.at(-1)?.[1].push(unescaped(lines[i]));
  }
  checkBound(source, files.length, DRAFT_BOUNDS.files, 'files');
  for (const [path] of files) checkWord(source, 'a path', path);
  return {
    kernel,
    name: draftName(fields.get('name') ?? '') || draftName(kernel),
    params: paramsIn(source, fields.get('params') ?? '{}'),
    files: Object.fromEntries(files.map(([path, code]) => [path, code.join('\n')])),
    overrides: Object.fromEntries(overrides),
  };
}

/** Throws SparseScopeError for a name or path that is too long. */
function checkWord(source: string, what: string, word: string): void {
  if (word.length <= DRAFT_BOUNDS.word) return;
  checkBound(`${source}, ${what} ${quoted(word)}`, word.length, DRAFT_BOUNDS.word, 'characters');
}

/** Parses the parameters of the draft's format; the format decides later which names exist. Throws SparseScopeError. */
function paramsIn(source: string, text: string): PortableDraft['params'] {
  const longest = DRAFT_BOUNDS.params * 2 * DRAFT_BOUNDS.word;
  checkBound(`${source}, params`, text.length, longest, 'characters');
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Reported below.
  }
  if (areParams(value)) return { ...value };
  throw new SparseScopeError(`${source}, params: found ${quoted(text)}, expected JSON with numbers, texts or booleans`);
}

/** Whether a value has the shape of a format's parameters, within the bounds of a draft. */
export function areParams(value: unknown): value is PortableDraft['params'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const { params, word } = DRAFT_BOUNDS;
  return (
    entries.length <= params &&
    entries.every(
      ([name, param]) =>
        name.length <= word && (isBooleanOrFinite(param) || (typeof param === 'string' && param.length <= word)),
    )
  );
}

function isBooleanOrFinite(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

const IN_LINK = 'The draft in the link';

/** A draft encoded for a link: its text, deflated, in base64url. */
export async function draftCode(draft: PortableDraft): Promise<string> {
  return deflatedText(draftText(draft));
}

/** The draft in a link's `code`. Rejects with SparseScopeError if it is none, or inflates to too much. */
export async function draftOfCode(code: string): Promise<PortableDraft> {
  return parseDraft(IN_LINK, await inflatedText(IN_LINK, code, DRAFT_BOUNDS));
}

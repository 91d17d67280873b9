// Drafts of kernels as files: draftText writes them, parseDraft reads them.

import fc from 'fast-check';
import { deflateRawSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DRAFT_BOUNDS } from '../../theory/bounds.ts';
import { draftCode, draftName, draftOfCode, draftText, parseDraft, tooLong } from './draft-file.ts';
import type { PortableDraft } from './draft.ts';

const DRAFT: PortableDraft = {
  kernel: 'csr/spmv_scalar',
  name: 'STEPS 6',
  params: { valueType: 'f16' },
  files: { 'csr/spmv_scalar.wgsl': 'fn main() {\n}\n' },
  overrides: { WORKGROUP_SIZE: 128 },
};

const line = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ' ')),
  fc.constantFrom('// ---- csr/spmv_scalar.wgsl', '// \\---- x', '// kernel: none', '', '// SparseScope draft 1'),
);
const arbitraryDraft: fc.Arbitrary<PortableDraft> = fc.record({
  kernel: fc.constantFrom('csr/spmv_scalar', 'macko/spmv_staged'),
  name: fc.constantFrom('mine', 'a name: with = signs'),
  params: fc.dictionary(fc.constantFrom('valueType', 'bits'), fc.oneof(fc.constantFrom('f16', 'f32'), fc.nat())),
  files: fc.dictionary(
    fc.constantFrom('csr/spmv_scalar.wgsl', 'common/values.wgsl#f16'),
    fc.array(line, { minLength: 1 }).map((lines) => lines.join('\n')),
  ),
  overrides: fc.dictionary(fc.constantFrom('WORKGROUP_SIZE', 'STEPS'), fc.integer()),
});

describe('parseDraft(source, draftText(draft))', () => {
  it('equals the draft, for any lines in it', () => {
    fc.assert(
      fc.property(arbitraryDraft, (draft) => {
        expect(parseDraft('a file', draftText(draft))).toEqual(draft);
      }),
    );
  });

  it('accepts the line ends of every operating system', () => {
    expect(parseDraft('a file', draftText(DRAFT).replaceAll('\n', '\r\n'))).toEqual(DRAFT);
  });

  it.each([
    ['', "draft.wgsl, line 1: found nothing, expected '// SparseScope draft 1'"],
    ['fn main() {}', "draft.wgsl, line 1: found 'fn main() {}', expected '// SparseScope draft 1'"],
    ['// SparseScope draft 1\n// ---- a.wgsl', "draft.wgsl: found no line '// kernel: '"],
    [
      '// SparseScope draft 1\n// kernel: a\nfn main() {}',
      /^draft.wgsl, line 3: found 'fn main\(\) \{\}', expected a comment/,
    ],
    ['// SparseScope draft 1\n// kernel: a\n// params: [', "draft.wgsl, params: found '[', expected JSON"],
  ])('rejects %j with one message', (text, message) => {
    expect(() => parseDraft('draft.wgsl', text)).toThrow(message);
  });

  it.each([
    [`{"a": ${'['.repeat(3000)}`, /^a file, params: found '.*\.\.\.', expected JSON with numbers/],
    [`{"a": ${'['.repeat(20_000)}`, /^a file, params: found 20.006 characters, expected at most 6.400$/],
    ['{"a": {"b": 1}}', /^a file, params: found '\{"a": \{"b": 1\}\}', expected JSON with numbers/],
    [JSON.stringify({ a: 'x'.repeat(101) }), /^a file, params: found .*, expected JSON/],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 33 }, (_, i) => [i, 1]))), /^a file, params: found/],
  ])('accepts only parameters with flat values: %.20s', (params, message) => {
    expect(() => parseDraft('a file', `// SparseScope draft 1\n// kernel: a\n// params: ${params}`)).toThrow(message);
  });

  it('shortens a name that is too long, and makes its invisible characters visible', () => {
    const name = (text: string): string => parseDraft('a file', draftText({ ...DRAFT, name: text })).name;
    expect(name('x'.repeat(60_000))).toBe('x'.repeat(80));
    expect(name('a\u202eb\u0000')).toBe('a\ufffdb\u2400');
    expect(draftName(`x${'😀'.repeat(100)}`)).toBe(`x${'😀'.repeat(39)}`);
  });

  it('rejects more constants, more files and longer names than the limits', () => {
    const head = ['// SparseScope draft 1', '// kernel: a'];
    const withLines = (lineAt: (i: number) => string, n: number): string =>
      [...head, ...Array.from({ length: n }, (_, i) => lineAt(i))].join('\n');
    expect(() =>
      parseDraft(
        'a file',
        withLines((i) => `// override A${i} = 1`, 65),
      ),
    ).toThrow('a file: found 65 overrides, expected at most 64');
    expect(() =>
      parseDraft(
        'a file',
        withLines((i) => `// ---- ${i}.wgsl`, 33),
      ),
    ).toThrow('a file: found 33 files, expected at most 32');
    expect(() =>
      parseDraft(
        'a file',
        withLines(() => `// override ${'A'.repeat(101)} = 1`, 1),
      ),
    ).toThrow(/^a file, override 'A+\.\.\.': found 101 characters, expected at most 100$/);
  });

  it('rejects a text longer than any draft', () => {
    expect(() => parseDraft('a file', ' '.repeat(DRAFT_BOUNDS.length + 1))).toThrow(
      /^a file: found 65\u202f537 characters/,
    );
  });
});

describe('tooLong(draft, path, code)', () => {
  it('returns a message if the draft with this text could not be read again, else null', () => {
    const path = 'csr/spmv_scalar.wgsl';
    const head = draftText({ ...DRAFT, files: { [path]: '' } }).length;
    const fitting = 'x'.repeat(DRAFT_BOUNDS.length - head);
    expect(tooLong(DRAFT, path, fitting)).toBeNull();
    expect(parseDraft('a file', draftText({ ...DRAFT, files: { [path]: fitting } })).files[path]).toBe(fitting);
    expect(tooLong(DRAFT, path, `${fitting}x`)).toMatch(
      /^The draft would be too long: found 65.537 characters, expected at most 65.536; unchanged\.$/,
    );
  });
});

const OriginalStream = DecompressionStream;
afterEach(() => vi.unstubAllGlobals());

describe('draftOfCode(await draftCode(draft))', () => {
  it('equals the draft, and the code needs no escaping in an address', async () => {
    const code = await draftCode(DRAFT);
    expect(code).toMatch(/^[\w-]+$/);
    expect(await draftOfCode(code)).toEqual(DRAFT);
  });

  it('rejects a truncated code, and an invalid one', async () => {
    const code = await draftCode(DRAFT);
    await expect(draftOfCode(code.slice(0, -8))).rejects.toThrow(/^The draft in the link/);
    await expect(draftOfCode('§')).rejects.toThrow('The draft in the link cannot be read');
  });

  it('stops unpacking at the size limit of a draft', async () => {
    const code = deflateRawSync(Buffer.alloc(100 * 2 ** 20, 'x')).toString('base64url');
    expect(code.length).toBeLessThan(DRAFT_BOUNDS.code);
    let bytes = 0;
    vi.stubGlobal('DecompressionStream', function counted() {
      const { readable, writable } = new OriginalStream('deflate-raw');
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        transform(part, controller) {
          bytes += part.length;
          controller.enqueue(part);
        },
      });
      return { writable, readable: readable.pipeThrough(counter) };
    });
    await expect(draftOfCode(code)).rejects.toThrow(/^The draft in the link: found more than 65.536 characters$/);
    expect(bytes).toBeGreaterThan(DRAFT_BOUNDS.length);
    expect(bytes).toBeLessThan(8 * DRAFT_BOUNDS.length);
  });

  it('rejects a code above the length limit without unpacking it', async () => {
    await expect(draftOfCode('A'.repeat(DRAFT_BOUNDS.code + 1))).rejects.toThrow(
      /^The draft in the link: found 262.145 characters, expected at most 262.144$/,
    );
  });
});

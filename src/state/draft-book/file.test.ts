import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DRAFT_BOUNDS } from '../../core/bounds/bounds.ts';
import { draftText, parseDraft } from './file.ts';
import { draftCode, draftOfCode } from './link.ts';
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
    fc.constantFrom('csr/spmv_scalar.wgsl', 'common/values_f16.wgsl'),
    fc.array(line, { minLength: 1 }).map((lines) => lines.join('\n')),
  ),
  overrides: fc.dictionary(fc.constantFrom('WORKGROUP_SIZE', 'STEPS'), fc.integer()),
});

describe('parseDraft(source, draftText(draft))', () => {
  it('is the draft, whatever its lines look like', () => {
    fc.assert(
      fc.property(arbitraryDraft, (draft) => {
        expect(parseDraft('a file', draftText(draft))).toEqual(draft);
      }),
    );
  });

  it('takes the line ends of every system', () => {
    expect(parseDraft('a file', draftText(DRAFT).replaceAll('\n', '\r\n'))).toEqual(DRAFT);
  });

  it.each([
    ['', "draft.wgsl, line 1: found nothing, expected '// SparseScope draft 1'"],
    ['fn main() {}', "draft.wgsl, line 1: found 'fn main() {}', expected '// SparseScope draft 1'"],
    ['// SparseScope draft 1\n// ---- a.wgsl', "draft.wgsl: found no line '// kernel: ', which says what it changes"],
    [
      '// SparseScope draft 1\n// kernel: a\nfn main() {}',
      /^draft.wgsl, line 3: found 'fn main\(\) \{\}', expected a comment/,
    ],
    ['// SparseScope draft 1\n// kernel: a\n// params: [', "draft.wgsl, params: found '[', expected an object in JSON"],
  ])('refuses %j in one sentence', (text, message) => {
    expect(() => parseDraft('draft.wgsl', text)).toThrow(message);
  });

  it('refuses a text that no draft is as long as', () => {
    expect(() => parseDraft('a file', ' '.repeat(DRAFT_BOUNDS.length + 1))).toThrow(
      /^a file: found 1\u202f048\u202f577 characters/,
    );
  });
});

describe('draftOfCode(await draftCode(draft))', () => {
  it('is the draft, in letters that an address keeps', async () => {
    const code = await draftCode(DRAFT);
    expect(code).toMatch(/^[\w-]+$/);
    expect(await draftOfCode(code)).toEqual(DRAFT);
  });

  it('refuses a link that was cut, and one that is none', async () => {
    const code = await draftCode(DRAFT);
    await expect(draftOfCode(code.slice(0, -8))).rejects.toThrow(/^The draft in the link/);
    await expect(draftOfCode('§')).rejects.toThrow('The draft in the link cannot be read');
  });

  it('unpacks no more than a draft may have', async () => {
    const code = await draftCode({ ...DRAFT, files: { 'a.wgsl': 'x'.repeat(4 * DRAFT_BOUNDS.length) } });
    expect(code.length).toBeLessThan(20_000);
    await expect(draftOfCode(code)).rejects.toThrow(/expected at most 1\u202f048\u202f576$/);
  });
});

// Bounds of a user's WGSL program, checked before its loops get counters that stop endless ones.

import { describe, expect, it } from 'vitest';
import { composeShader } from '../../../src/gpu/compose.ts';
import { loopWork, programFault } from './program-bounds.ts';
import { wgslFunctions } from './wgsl-functions.ts';
import { everyKernelFile } from '../../../test/kernel-files.ts';

const fault = (...codes: readonly string[]): string | null =>
  programFault(codes.map((code, i) => ({ path: `${i}.wgsl`, code })));

/** Returns a program of `length` functions, each of which calls the next one `times` times; the last has a loop. */
const chain = (length: number, times: number): string =>
  Array.from({ length }, (_, i) => `fn f${i}() { ${`f${i + 1}(); `.repeat(times)} }`).join('\n') +
  `\nfn f${length}() { loop { break; } }\n@compute @workgroup_size(1) fn main() { f0(); }`;

describe('programFault', () => {
  it('accepts every kernel of the application', () => {
    for (const file of everyKernelFile()) expect(programFault([file]), file.path).toBeNull();
  });

  it('rejects declarations of names that loop counters use', () => {
    for (const code of [
      'fn main() {\n let sparsescope_iterations_0 = 1u; loop { break; } }',
      'fn f(\nsparsescope_0: u32) { }',
      '\nvar<private> sparsescope_late: u32;',
      '\nstruct sparsescope_s { a: u32 }',
      'fn main() {\n let\u200esparsescope_iterations_0 = 1u; }',
    ]) {
      expect(fault(code)).toMatch(
        /^0\.wgsl, line 2: found the name 'sparsescope_\w+', expected another: names of loop counters begin with/,
      );
    }
  });

  it('rejects a redefinition of a built-in function that loop counters call', () => {
    expect(fault('fn atomicMin(a: ptr<storage, atomic<u32>, read_write>, b: u32) { }')).toMatch(
      /^0\.wgsl, line 1: found a function 'atomicMin', expected another name: the loop counter/,
    );
  });

  it('rejects a loop that is not in a function of the same file', () => {
    expect(fault('fn f() { loop {', '} } fn main() { }')).toMatch(/^0\.wgsl, line 1: found a loop in no function/);
    expect(fault('fn f() { for for for for { }')).toMatch(/^0\.wgsl, line 1: found a loop in no function/);
  });

  it('rejects a comment without an end, which would continue in the next file', () => {
    expect(fault('fn f() { }\n/* ', '// */ fn main() { loop { } }')).toBe(
      '0.wgsl, line 2: found a comment without an end',
    );
  });

  it('rejects a function that is too large once all its calls are inlined', () => {
    expect(fault(chain(12, 3))).toMatch(
      /^0\.wgsl, line 1: found a function 'f0' of more than 65.536 tokens with all that it calls/,
    );
    expect(fault(chain(200, 3))).toMatch(/found a function/);
    expect(fault(chain(5, 3))).toBeNull();
    // It does not compile, and reporting that is the compiler's job.
    expect(fault('fn a() { b(); } fn b() { a(); }')).toBeNull();
  });

  it('rejects more than 64 loops or 512 functions', () => {
    const loops = `@compute @workgroup_size(1) fn main() { ${'loop { break; } '.repeat(65)} }`;
    expect(fault(loops)).toBe('0.wgsl, with the files that it includes: found 65 loops, expected at most 64');
    expect(fault(chain(600, 1))).toMatch(/: found 602 functions, expected at most 512$/);
  });
});

describe('composeShader', () => {
  it('does not move a directive inside a comment to the top, but one before a comment', () => {
    const code = '/*\nenable f16; // */\nfn main() { }';
    expect(composeShader([{ path: 'a.wgsl', code }]).code).toContain(code);
    const moved = wgslFunctions(composeShader([{ path: 'a.wgsl', code: 'enable f16; // half\nfn main() { }' }]).code);
    expect(moved.code).toMatch(/^enable f16;\n/);
  });
});

describe('loopWork(files)', () => {
  it('counts the tokens of every loop, and of the functions called in it', () => {
    const work = (code: string): number => loopWork([{ path: 'a.wgsl', code }]);
    const oneLoop = work('fn main() { loop { break; } }');
    expect(work('fn main() { loop { break; } loop { break; } }')).toBe(2 * oneLoop);
    expect(work('fn f() { a = 1; } fn main() { loop { f(); break; } }')).toBeGreaterThan(oneLoop + 4);
    expect(work('fn main() { }')).toBe(0);
  });
});

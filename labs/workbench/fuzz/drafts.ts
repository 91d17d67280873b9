// A target of the fuzzer: files and links with drafts.

import { EditorState, Text } from '@codemirror/state';
import { DRAFT_BOUNDS } from '../theory/bounds.ts';
import { SparseScopeError } from '../../../src/core/errors.ts';
import type { ShaderFile } from '../../../src/core/kernel/shader.ts';
import type { Random } from '../../../src/core/number/random.ts';
import { threadPace } from '../../../src/core/pace.ts';
import { formats } from '../../../src/formats/registry.ts';
import { withLoopBudget } from '../gpu/loop-budget.ts';
import { loopWork, programFault } from '../gpu/program-bounds.ts';
import type { PortableDraft } from '../page/kernel-drafts/draft.ts';
import { draftCode, draftOfCode, draftText, parseDraft, tooLong } from '../page/kernel-drafts/draft-file.ts';
import { draftOverrides } from '../page/drafts/draft-overrides.ts';
import { draftProblem } from '../page/drafts/draft-problem.ts';
import { changedLines } from '../page/editor/changed-lines.ts';
import { fixOf } from '../page/editor/fixes.ts';
import { loopWords } from './oracle/wgsl.ts';
import { mutatedText, rangesToRemove, pick } from '../../../fuzz/pieces.ts';
import { defineTarget, type Fault, SILENT_STEPS } from '../../../fuzz/target.ts';
import { errorFault, messageFault } from '../../../fuzz/words.ts';

/** What a user opens: a file, or the contents of a link. */
interface DraftCase {
  readonly via: 'file' | 'link';
  readonly text: string;
}

const HELPER = `// Sums of a lane.
override LANES: u32 = 64u;
override STEPS: u32 = LANES / 2u * (3u - 1u);
fn shared(at: u32) -> f32 {
  var sum = 0.0;
  for (var i = at; i < STEPS; i++) { sum += f32(i); }
  return sum;
}
fn twice(at: u32) -> f32 { return shared(at) + shared(at + 1u); }`;
const KERNEL = `enable f16; // half
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
/* The kernel. /* In it: */ */
@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  var sum = twice(id.x);
  loop { if (sum > 1.0) { break; } continuing { sum += values[id.x]; } }
  while (sum < 4.0) { sum *= 2.0; workgroupBarrier(); }
  y[id.x] = sum;
}`;
const ORIGINAL = Text.of(
  Array.from({ length: 12 }, () => `${HELPER}\n${KERNEL}`)
    .join('\n')
    .split('\n'),
);

const SAMPLE: PortableDraft = {
  kernel: 'csr/spmv_scalar',
  name: 'mine',
  params: { valueType: 'f16' },
  files: { 'common/helper.wgsl': HELPER, 'csr/spmv_scalar.wgsl': KERNEL },
  overrides: { LANES: 128 },
};

/** Pieces of text that `randomCase` inserts. */
const INSERTED = [
  'loop { ',
  'for (;;) { ',
  'while true { ',
  'fn f() { ',
  'fn main() { ',
  'f(); ',
  '}',
  '{',
  '(',
  ')',
  '[',
  ';',
  '/*',
  '*/',
  '//',
  '// */ ',
  '\n',
  '\r',
  '\v',
  '\u0085',
  '\u200e',
  '\u2028',
  '\u202e',
  '\u0000',
  '\ud800',
  '😀',
  ' ',
  'enable f16; // */',
  'enable /* f16;',
  'sparsescope_iterations_0',
  'let sparsescope_0 = 1u; ',
  'fn atomicMin() { }',
  'override A: u32 = ',
  'override A: f32 = ((1 + 2) * -3.5) / LANES;',
  '\n// ---- csr/spmv_scalar.wgsl\n',
  '\n// ---- ../../x\n',
  '\n// \\---- x\n',
  '\n// params: {"valueType": "f16"}\n',
  '\n// params: {"a": [[[',
  '\n// params: {"__proto__": {"a": 1}}\n',
  '\n// name: \u202ea\u0000',
  '\n// kernel: none/such\n',
  '\n// override B = 1e999\n',
  '\n// override LANES = -0\n',
];

/** Pieces of text that `randomCase` repeats up to the size limit of a draft, and beyond. */
const REPEATED = [
  'x',
  ' ',
  '\n',
  'ab\n',
  '(',
  '-',
  '[',
  'f(',
  '/*',
  'for ',
  'loop{}',
  'loop{',
  'fn a(){}',
  'a(); ',
  '@',
  '😀',
  'override A: u32 = ',
  'override a;\n',
  '// override A = 1\n',
  '// ---- a\n',
  '// ',
  'enable\n',
  'let ',
  'sum += f32(i); ',
  `${HELPER}\n`,
];

/** The sample's text with random changes, and sometimes with one piece repeated to a great length. */
function randomCase(random: Random): DraftCase {
  let text = draftText(SAMPLE);
  if (random.below(3) === 0) {
    const piece = pick(random, REPEATED);
    const length = pick(random, [1000, 20_000, DRAFT_BOUNDS.length - text.length, 2 * DRAFT_BOUNDS.length]);
    const position = random.below(text.length + 1);
    text = text.slice(0, position) + piece.repeat(Math.floor(length / piece.length)) + text.slice(position);
  }
  for (let changes = 1 + random.below(3); changes > 0; changes--) text = mutatedText(random, text, INSERTED);
  return { via: random.below(4) === 0 ? 'link' : 'file', text };
}

/** The first fault that a text of a draft reveals, or null. */
async function check({ via, text }: DraftCase): Promise<Fault | null> {
  let draft: PortableDraft;
  try {
    draft = via === 'file' ? parseDraft('draft.wgsl', text) : await draftOfCode(await codeOf(text));
  } catch (error) {
    return errorFault(error, SparseScopeError);
  }
  for (const findFault of [boundsFault, roundTripFault, problemFault, shownFault, runFault]) {
    const fault = await findFault(draft);
    if (fault) return fault;
    // The page makes these checks one at a time, on request.
    await threadPace.pause();
  }
  return null;
}

/** The code of a link with a text, or for one text in seven the text itself, which usually is not a valid code. */
async function codeOf(text: string): Promise<string> {
  if (text.length % 7 === 0) return text;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url');
}

/** Checks that nothing in a parsed draft is longer than allowed. */
function boundsFault({ name, kernel, params, files, overrides }: PortableDraft): Fault | null {
  const law = 'nothing in a parsed draft is longer than its bound';
  const words = [kernel, ...Object.keys(params), ...Object.keys(files), ...Object.keys(overrides)];
  const longWord = words.find((word) => word.length > DRAFT_BOUNDS.word);
  if (longWord !== undefined) return { law, message: `a word of ${longWord.length} letters` };
  if (name.length > DRAFT_BOUNDS.name || name === '') return { law, message: `a name of ${name.length} letters` };
  const nested = Object.values(params).find((value) => typeof value === 'object');
  if (nested !== undefined) return { law, message: `parameter ${JSON.stringify(nested)}` };
  const most = Math.max(Object.keys(files).length, Object.keys(overrides).length, Object.keys(params).length);
  return most > DRAFT_BOUNDS.overrides ? { law, message: `${most} files, overrides or parameters` } : null;
}

/** Checks that a draft written to a file or a link is read back unchanged. */
async function roundTripFault(draft: PortableDraft): Promise<Fault | null> {
  const written = draftText(draft);
  // The head that `draftText` writes can be longer than the head that was read.
  if (written.length > DRAFT_BOUNDS.length) return null;
  const copies = [parseDraft('again.wgsl', written), await draftOfCode(await draftCode(draft))];
  // A link contains UTF-8, in which a lone surrogate is lost.
  const sent = new TextDecoder().decode(new TextEncoder().encode(written));
  const expected = [draft, parseDraft('sent.wgsl', sent)].map((copy) => JSON.stringify(copy));
  const differentCopy = copies.find((copy, i) => JSON.stringify(copy) !== expected[i]);
  return differentCopy
    ? { law: 'a saved draft is read unchanged', message: JSON.stringify(differentCopy).slice(0, 300) }
    : null;
}

/** Checks the sentence that says why a draft cannot run. */
function problemFault(draft: PortableDraft): Fault | null {
  const problem = draftProblem(draft, formats);
  return problem === null ? null : messageFault(problem);
}

/** Computes what the page shows of a draft: none of these computations may throw. */
function shownFault({ files, overrides, ...draft }: PortableDraft): Fault | null {
  const shaderFiles = Object.entries(files).map(([path, code]): ShaderFile => ({ path, code }));
  draftOverrides(
    [{ path: 'a', code: '', files: shaderFiles, workgroups: [1, 1, 1], bindings: [], overrides: [] }],
    { files, overrides },
    32,
    {},
  );
  for (const { path, code } of shaderFiles) {
    const state = EditorState.create({ doc: code, extensions: changedLines(ORIGINAL) });
    // oxlint-disable-next-line no-unused-expressions -- a transaction is computed when its state is read
    state.update({ changes: { from: Math.floor(state.doc.length / 2), insert: 'let a = 1;' } }).state;
    const message = tooLong({ files, overrides, ...draft }, path, `${code}${code}`);
    const fault = message === null ? null : messageFault(message);
    if (fault) return fault;
    for (const compilerMessage of [
      "expected ';' for x",
      "unresolved value 'sum'",
      "type 'f16' used without 'f16' extension enabled",
    ]) {
      fixOf(compilerMessage, code, code.length - 3, code.length);
    }
  }
  return null;
}

/** Checks that a program is rejected with a message before it is compiled, or that every loop in it terminates. */
function runFault({ files }: PortableDraft): Fault | null {
  const shaderFiles = Object.entries(files).map(([path, code]): ShaderFile => ({ path, code }));
  if (shaderFiles.length === 0) return null;
  const rejection = programFault(shaderFiles);
  if (rejection !== null) return messageFault(rejection);
  const budgeted = withLoopBudget(shaderFiles, { maxIterations: 9, binding: 2, stopsLateWorkgroups: true, first: 0 });
  const expectedLoops = loopWords(shaderFiles.map(({ code }) => code).join('\n'));
  const law = 'every loop has an end';
  if (expectedLoops !== budgeted.loops.length) {
    return { law, message: `${budgeted.loops.length} loops have an end, expected ${expectedLoops}` };
  }
  const texts = budgeted.files.slice(-shaderFiles.length).map(({ code }) => code);
  const ends = texts.join('\n').split('sparsescope_stop(').length - 1;
  if (ends !== expectedLoops) return { law, message: `${ends} loops are ended, expected ${expectedLoops}` };
  const lines = (code: string): number => code.split('\n').length;
  if (shaderFiles.some(({ code }, i) => lines(code) !== lines(texts[i])))
    return { law: 'the loop budget changes no line number', message: '' };
  return Number.isFinite(loopWork(shaderFiles)) ? null : { law, message: `work ${loopWork(shaderFiles)}` };
}

/** The target 'drafts': drafts of kernels in files and links with random changes. */
export const draftsTarget = defineTarget<DraftCase>({
  id: 'drafts',
  unit: 'drafts',
  share: 0.1,
  maxSteps: SILENT_STEPS,
  generate: randomCase,
  check,
  *smaller({ via, text }) {
    for (const [from, to] of rangesToRemove(text.length)) yield { via, text: text.slice(0, from) + text.slice(to) };
  },
  toJson: (c) => c,
  fromJson(value) {
    const { via, text } = Object(value) as Partial<Record<keyof DraftCase, unknown>>;
    return { via: via === 'link' ? 'link' : 'file', text: String(text) };
  },
});

// Kernels that users write for custom formats, on a GPU: correct ones, faulty ones, the start text, and element
// types.

import { describe, expect, it } from 'vitest';
import { draftHost, endOf, sparseMatrix } from '../../../test/draft-host.ts';
import { localRunners } from '../../../test/own-runner.ts';
import { RUNS_ALL, scheduled } from '../../../../../test/scheduled.ts';
import { type Matrix, csrMatrix } from '../../../../../src/core/matrix/index.ts';
import { threadPace } from '../../../../../src/core/pace.ts';
import { ServiceJob } from '../../../../../src/engine/bridge/service-job.ts';
import { awkwardMatrix, AWKWARD_MATRICES } from '../../../../../src/generate/awkward/matrices.ts';
import { paramsOf } from '../../../own/parse-answers.ts';
import {
  requestDescription,
  requestSetup,
  type ModuleSetup,
  encodeAndDecode,
  type Runners,
} from '../../../own/module-requests.ts';
import { declaredInputs } from '../../../../../src/core/declared/accessors.ts';
import { startText } from '../../../own/kernel/start-text.ts';
import type { UserParams } from '../../../own/module-messages.ts';
import { STARTERS } from '../../../own/starters.ts';
import { traceMemory } from '../drafts/trace-memory.ts';
import type { DraftCheck, DraftEvent } from '../drafts/draft-types.ts';
import { hostWithFormat, raceAgainstFormats, tryUserKernel } from './service.ts';
import type { EncodeModuleOnPage, UserTrialRequest } from './kernel-types.ts';

/**
 * Few shapes, since a software GPU compiles the kernel for each number of workgroups; but all shapes with empty rows.
 */
const FEW_AWKWARD = AWKWARD_MATRICES.filter(({ name }) =>
  /^(?:1 × 1|1 column|7 × 96|empty|every other|one dense|values at|NaN)/.test(name),
);
const ONE_ROW = { name: '1 row', build: (): Matrix => awkwardMatrix([1, 70], 'uniform', 0.3) };
const UNEVEN = {
  name: 'rows of 0 to 36 entries, the longest last',
  build: (): Matrix => {
    const rows = 37;
    const indptr = Uint32Array.from({ length: rows + 1 }, (_, r) => (r * (r - 1)) / 2);
    const nnz = indptr[rows];
    const indices = new Uint32Array(nnz);
    for (let r = 0; r < rows; r++) for (let i = indptr[r]; i < indptr[r + 1]; i++) indices[i] = 2 * (i - indptr[r]) + 1;
    return csrMatrix({ rows, cols: 80, indptr, indices, data: Float32Array.from(indices, (c) => c / 8 - 3) });
  },
};

const host = { ...draftHost(sparseMatrix(70, 160)), draftMatrices: [...FEW_AWKWARD, ONE_ROW, UNEVEN] };
const job = (): ServiceJob => new ServiceJob(threadPace, () => {});

interface OpenedModule {
  readonly request: UserTrialRequest;
  readonly encode: EncodeModuleOnPage;
  readonly setup: ModuleSetup;
}

/**
 * Evaluates the starter with this id, or a module's text, on this thread; returns a request to try the kernel `text`.
 */
async function openModule(id: string, values: UserParams, text: string): Promise<OpenedModule> {
  const module = STARTERS.find((starter) => starter.id === id)?.text ?? id;
  const runners: Runners = localRunners(module);
  const description = await requestDescription(runners);
  if (description.kind !== 'done') throw new Error(JSON.stringify(description));
  const params = paramsOf(description.result, values);
  const setup = await requestSetup(runners, description.result, params);
  if (setup.kind !== 'done') throw new Error(JSON.stringify(setup));
  return {
    request: {
      name: 'mine',
      description: description.result,
      params,
      text,
      overrides: {},
      time: false,
      otherParams: {},
    },
    encode: ({ rows, cols, starts, columns, values }) =>
      encodeAndDecode(
        runners,
        setup.result,
        csrMatrix({ rows, cols, indptr: starts, indices: columns, data: values }),
        false,
      ),
    setup: setup.result,
  };
}

/** Tries the kernel, and returns its events, except those about its current activity. */
async function events({ request, encode }: OpenedModule, draftsHost = host): Promise<readonly DraftEvent[]> {
  const received: DraftEvent[] = [];
  await tryUserKernel(draftsHost, request, encode, job(), (event) => void received.push(event));
  return received.filter(({ stage }) => stage !== 'doing');
}

const checks = (all: readonly DraftEvent[]): readonly DraftCheck[] =>
  all.filter((event): event is DraftCheck => event.stage === 'checked');
/** The kernel of a starter. */
const exampleOf = (id: string): string => STARTERS.find((starter) => starter.id === id)?.kernel ?? '';

/** Number of matrices in a trial: the open matrix, the others, and the open one with NaN and with Infinity in x. */
const MATRIX_COUNT = 1 + host.draftMatrices.length + 2;

describe('the kernel of SELL-C-σ', () => {
  it('computes all outputs correctly with C 4 and sigma 8', () => checkRight({ C: 4, sigma: 8 }));

  for (const params of [
    { C: 4, sigma: 1 },
    { C: 8, sigma: 128 },
    { C: 32, sigma: 8 },
    { C: 32, sigma: 128 },
  ]) {
    scheduled(
      'a software GPU compiles the kernel for every number of workgroups',
      'the same kernel with other parameters here, and labs/workbench/own/laws.test.ts, where the format keeps its laws with several of them',
      `computes all outputs correctly with C ${params.C} and sigma ${params.sigma}`,
      () => checkRight(params),
    );
  }

  async function checkRight(params: UserParams): Promise<void> {
    expect(endOf(await events(await openModule('sell', params, exampleOf('sell'))))).toBe(
      `true The draft is right on all ${MATRIX_COUNT} matrices.`,
    );
  }

  const FAULTS = [
    ['forgets the order', 'y[order_at(place)] = sum;', 'y[place] = sum;'],
    ['writes past its end', 'y[order_at(place)] = sum;', 'y[order_at(place)] = sum; y[params.rows] = sum;'],
  ] as const;
  const MORE_FAULTS = [
    ['reads the wrong chunk', 'let chunk = place / C;', 'let chunk = place / (C + 1u);'],
    ['multiplies padding', 'if (!(value == 0.0)) {', 'if (value == value) {'],
    ['misses the last slot', 'i < end; i += C', 'i + C < end; i += C'],
  ] as const;

  it.for(FAULTS)('is reported as wrong when it %s', ([, from, to]) => checkReported(from, to));

  for (const [what, from, to] of MORE_FAULTS) {
    scheduled(
      'a software GPU compiles the kernel for each fault',
      'the faults that every run tests here, which are found by the same comparison',
      `is reported as wrong when it ${what}`,
      () => checkReported(from, to),
    );
  }

  async function checkReported(from: string, to: string): Promise<void> {
    const text = exampleOf('sell');
    expect(text).toContain(from);
    expect(endOf(await events(await openModule('sell', { C: 4, sigma: 8 }, text.replace(from, to))))).toMatch(
      /^false (?:Wrong, so not timed|It was right with limited loops)/,
    );
  }
});

describe('a kernel for a custom format', () => {
  it.each(['csr', 'deltas', 'dictionary'])('computes all outputs correctly for the starter %s', async (id) => {
    const received = await events(await openModule(id, id === 'deltas' ? { bits: 4 } : {}, exampleOf(id)));
    expect(endOf(received)).toMatch(/^true The draft is right on /);
    const tried = checks(received).filter(({ declined }) => declined === null);
    expect(tried.length).toBeGreaterThan(id === 'dictionary' ? 3 : MATRIX_COUNT - 2);
  });

  it('has a start text, for the arrays of sell, that compiles and gives wrong outputs', () => checkStartText('sell'));

  for (const { id } of STARTERS.filter((starter) => starter.id !== 'sell')) {
    scheduled(
      'a software GPU compiles the text for the arrays of each starter',
      'the starter that every run tests here, and labs/workbench/own/kernel/kernel-text.test.ts for the text',
      `has a start text, for the arrays of ${id}, that compiles and gives wrong outputs`,
      () => checkStartText(id),
    );
  }

  async function checkStartText(id: string): Promise<void> {
    const { setup, ...rest } = await openModule(id, {}, '');
    const text = startText(setup.description.title, declaredInputs(setup.arrays, setup.params));
    const received = await events({ ...rest, setup, request: { ...rest.request, text } });
    expect(received.find(({ stage }) => stage === 'compiled')).toMatchObject({ ok: true, messages: [] });
    expect(endOf(received)).toMatch(/^false Wrong, so not timed/);
  }

  /** The number of bits determines how an array is read: as whole words, across two words, or as 16-bit halves. */
  const FEW_TYPES = ['u7', 'i7', 'u32', 'i32', 'f16', 'f32'];
  const ALL_TYPES = [
    ...Array.from({ length: 32 }, (_, i) => i + 1).flatMap((bits) => [`u${bits}`, ...(bits > 1 ? [`i${bits}`] : [])]),
    'f16',
    'f32',
  ];

  it('reads elements of whole words, of halves, and across the borders of words', async () => {
    const types = RUNS_ALL ? ALL_TYPES : FEW_TYPES;
    // Six arrays per kernel, since a device binds ten storage buffers.
    for (const sixTypes of Array.from({ length: Math.ceil(types.length / 6) }, (_, i) =>
      types.slice(6 * i, 6 * i + 6),
    )) {
      // Each array contains one number of its type's range per row, (row * 2654435761) mod 2^bits (Knuth's
      // multiplicative hash). `decode` and the kernel compare the elements with the same formula; a difference makes
      // the output 1e9.
      const module = `export const title = 'every width';
export const params = { seed: { options: [7], meaning: 'of the numbers' } };
export const arrays = { values: 'f32 values', ${sixTypes.map((type, i) => `a${i}: '${type} metadata'`).join(', ')} };
const numbers = (type, r) => type[0] === 'f' ? r / 4 - 3 : type[0] === 'u'
  ? ((r * 2654435761) >>> 0) % 2 ** +type.slice(1)
  : (((r * 2654435761) >>> 0) % 2 ** +type.slice(1)) - 2 ** (+type.slice(1) - 1);
export function encode(A, out) {
  for (const row of A) {
    out.values.push(row.length ? row.values[0] : 0);
    ${sixTypes.map((type, i) => `out.a${i}.push(numbers('${type}', row.index));`).join('\n    ')}
  }
}
export function decode({ values, ...rest }, { rows, cols }, put) {
  for (let r = 0; r < rows; r++) {
    let bad = 0;
    ${sixTypes.map((type, i) => `if (rest.a${i}[r] !== numbers('${type}', r)) bad++;`).join('\n    ')}
    if (cols > 0) put(r, r % cols, bad === 0 ? values[r] : 1e9);
  }
}`;
      const compared = sixTypes.map((type, i) => {
        if (type[0] === 'f') return `if (a${i}_at(row) != f32(row) / 4.0 - 3.0) { bad++; }`;
        const bits = Number(type.slice(1));
        const expected = bits === 32 ? '(row * 2654435761u)' : `(row * 2654435761u) % ${2 ** bits}u`;
        if (type[0] === 'u') return `if (a${i}_at(row) != ${expected}) { bad++; }`;
        return `if (a${i}_at(row) != bitcast<i32>(${expected} - ${2 ** (bits - 1)}u)) { bad++; }`;
      });
      const { setup, ...rest } = await openModule(module, {}, '');
      const text = startText('every width', declaredInputs(setup.arrays, setup.params)).replace(
        'y[row] = sum;',
        `var bad = 0u;\n${compared.join('\n')}\nlet value = values_at(row);\nif (!(value == 0.0)) { sum = value * x[row % params.cols]; }\ny[row] = select(sum, 1e9, bad > 0u);`,
      );
      const received = await events(
        { ...rest, setup, request: { ...rest.request, text } },
        { ...host, draftMatrices: [UNEVEN] },
      );
      expect([sixTypes.join(' '), endOf(received)]).toEqual([sixTypes.join(' '), expect.stringMatching(/^true /)]);
    }
  });

  it('has its memory loads traced for each array', async () => {
    const { request, encode } = await openModule('csr', {}, exampleOf('csr'));
    const formatHost = await hostWithFormat(host, request, encode, 'open', job());
    const answer = await traceMemory(
      formatHost.host,
      { kernel: 'mine:mine/scratch', params: {}, files: {}, overrides: {}, sizes: {}, workgroup: 1 },
      job(),
    );
    expect(answer.arrays.map(({ name }) => name).toSorted()).toEqual(['columns', 'starts', 'values', 'x']);
    expect(answer.workgroups).toBe(2);
  });

  scheduled(
    'compiles kernels of other formats anew',
    'the correct kernels in the same file, and races in src/gpu/bench.gpu.test.ts',
    'is raced against other formats, each by its fastest kernel',
    async () => {
      const { request, encode } = await openModule('csr', {}, exampleOf('csr'));
      const formatHost = await hostWithFormat(host, request, encode, 'open', job());
      const [draft] = formatHost.format.kernels;
      const received: DraftEvent[] = [];
      // A few of them: a software GPU needs half a minute for all.
      const others = RUNS_ALL ? ['csr', 'dense', 'ell'] : ['ell'];
      const formats = formatHost.host.formats.filter(({ id }) => ['mine:mine', ...others].includes(id));
      await raceAgainstFormats({})(
        { ...formatHost.host, formats },
        { format: formatHost.format, params: {}, original: null, draft, sizes: {}, rounds: 2 },
        job(),
        (event) => void received.push(event),
      );
      const last = received.at(-1);
      const report = last?.stage === 'timed' ? last.report : undefined;
      const ids = new Set(report?.rows.map(({ format }) => format));
      expect([...ids].toSorted()).toEqual([...others, 'mine:mine']);
      expect(report?.rows.every(({ verified }) => verified.ok)).toBe(true);
    },
  );
});

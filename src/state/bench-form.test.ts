import { describe, expect, it } from 'vitest';
import { formats } from '../formats/registry.ts';
import { defaultDocument } from './document.ts';
import { CATALOG } from '../../test/fake-engine.ts';
import type { AnyFormat } from '../core/format.ts';
import {
  type BenchForm,
  type BenchSetup,
  formProblem,
  operationOf,
  paramsToRun,
  processorFor,
  runningFormats,
  runProblem,
  sizesOf,
  toRequest,
  withOperation,
  withValidity,
  withSize,
} from './bench-form.ts';
import { FORWARD, GATE, GEMM, SPMV } from '../core/operations/index.ts';
import { createBenchForm, FIRST_OPERATION, withUsualOperation } from './bench-form-store.ts';
import { REFERENCE_FORMAT } from './reference-format.ts';

const form = createBenchForm(formats).getState();
const doc = defaultDocument({ ...CATALOG, formats });
/** The setup of a run with this form, on a page without a device or a matrix. */
const setupOf = (benchForm: BenchForm, others: Partial<BenchSetup> = {}): BenchSetup => ({
  form: benchForm,
  params: doc.params,
  formats,
  device: null,
  openMatrix: null,
  ...others,
});
describe('toRequest for A against B (`pair`)', () => {
  const stored = (format: string, params = doc.params[format]) => ({ format, params });
  it('runs both and nothing else, each with its own parameters', () => {
    const pair = [stored('macko'), stored('macko', { ...doc.params.macko, deltaBits: 8 })];
    const { entries } = toRequest(setupOf(form, { pair }));
    expect(entries.flatMap(({ format, params }) => [format, params.deltaBits])).toEqual(['macko', 4, 'macko', 8]);
  });
  it('puts the reference first if it is A or B', () => {
    const { entries } = toRequest(setupOf(form, { pair: [stored('macko'), stored(REFERENCE_FORMAT)] }));
    expect(entries.map(({ format }) => format)).toEqual([REFERENCE_FORMAT, 'macko']);
  });
  it('runs the ticked formats instead of A and B once formats are ticked', () => {
    const setup = setupOf({ ...form, pair: false, formats: ['csr'] }, { pair: [stored('macko')] });
    expect(runningFormats(setup).map(({ id }) => id)).toEqual([REFERENCE_FORMAT, 'csr']);
  });
  it('omits a format without a kernel for the operation', () => {
    const setup = setupOf(withOperation(form, GEMM.id), { pair: [stored('ell'), stored('macko')] });
    expect(runningFormats(setup).map(({ id }) => id)).toEqual(['macko']);
  });
});

const WITHOUT_GPU = { kind: 'unavailable', reason: 'no WebGPU' } as const;

describe('the form before any change', () => {
  it('requests y = A x', () => {
    expect(FIRST_OPERATION).toBe(SPMV.id);
    expect(sizesOf(form)).toEqual({});
  });

  it('measures the product with as many tokens as the selection has, unless another operation is chosen', () => {
    const group = 'pruned weights';
    const many = withUsualOperation(form, { tokens: 16, group });
    expect(operationOf(many)).toBe(GEMM);
    expect(sizesOf(many)).toEqual({ tokens: 16 });
    expect(withUsualOperation(many, { tokens: 1, group }).operation).toBe(SPMV.id);
    const gate = withOperation(form, GATE.id);
    expect(withUsualOperation(gate, { tokens: 16, group })).toBe(gate);
  });

  it('requests the whole block where A is made for activations, until A or the user changes it', () => {
    const [twell, macko] = ['activations', 'pruned weights'].map((group) => ({ tokens: 1, group }));
    const block = withUsualOperation(form, twell);
    expect(operationOf(block)).toBe(FORWARD);
    expect(withUsualOperation(block, macko, twell).operation).toBe(SPMV.id);
    expect(withUsualOperation(block, { ...twell, tokens: 8 }, twell)).toMatchObject({
      operation: GEMM.id,
      sizes: { [GEMM.id]: { tokens: 8 } },
    });
    // Chosen in the settings for another A, it stays.
    const chosen = withOperation(form, FORWARD.id);
    expect(withUsualOperation(chosen, { ...macko, tokens: 8 }, macko)).toBe(chosen);
    const gate = withOperation(form, GATE.id);
    expect(withUsualOperation(gate, macko, twell)).toBe(gate);
  });
});

describe('toRequest(setup)', () => {
  it('requests every format with the parameters of the document, on the GPU', () => {
    const request = toRequest(setupOf(form));
    expect([request.workload, request.where]).toEqual([{ kind: 'stage' }, 'gpu']);
    expect(request.entries.map((e) => e.format)).toEqual(formats.map((f) => f.id));
    for (const entry of request.entries) {
      expect([entry.params, entry.kernels]).toEqual([doc.params[entry.format], 'auto']);
    }
  });
  it('requests the reference alone if nothing is ticked', () => {
    const { entries } = toRequest(setupOf({ ...form, formats: [] }));
    expect(entries.map((e) => e.format)).toEqual([REFERENCE_FORMAT]);
  });
  it('adds the reference in 4 bits if that is ticked, but not to a reference in f32', () => {
    const requested = (params: BenchSetup['params']) =>
      toRequest(setupOf({ ...form, formats: [], beside: ['i4'] }, { params })).entries.map((e) => e.params);
    expect(requested(doc.params)).toEqual([{ valueType: 'f16' }, { valueType: 'i4' }]);
    expect(requested({ ...doc.params, [REFERENCE_FORMAT]: { valueType: 'f32' } })).toEqual([{ valueType: 'f32' }]);
  });
  it('requests the chosen kernels of each format, and omits formats without any', () => {
    const chosen = formats.filter((f) => f.id === 'macko' || f.id === REFERENCE_FORMAT).map((f) => f.kernels[0].id);
    const { entries } = toRequest(setupOf({ ...form, variants: 'chosen', kernels: chosen }));
    expect(entries.map((e) => [e.format, e.kernels])).toEqual(
      entries.map((e) => [e.format, chosen.filter((id) => id.startsWith(`${e.format}/`))]),
    );
    expect(entries.map((e) => e.format).toSorted()).toEqual([REFERENCE_FORMAT, 'macko'].toSorted());
  });
  it('runs on the CPU if there is no GPU, regardless of the choice', () => {
    expect(toRequest(setupOf(form, { device: WITHOUT_GPU })).where).toBe('cpu');
  });
});

describe('the chosen operation', () => {
  /** A format whose only kernel of an operation is a fake one, for these value types. */
  const withKernel = (f: AnyFormat, operation: string, valueType?: readonly string[]): AnyFormat => ({
    ...f,
    kernels: [
      ...f.kernels.filter((k) => k.operation !== operation),
      { ...f.kernels[0], id: `${f.id}/fake`, operation, ...(valueType ? { only: { valueType } } : {}) },
    ],
  });
  const spmvAlone = formats.map((f) => ({ ...f, kernels: f.kernels.filter((k) => k.operation === 'spmv') }));
  /** formats with SpMV only, except that the reference has a fake kernel of GEMM in i8 */
  const withGemm = spmvAlone.map((f) => (f.id === REFERENCE_FORMAT ? withKernel(f, 'gemm-i8', ['i8']) : f));
  const gemm = withOperation(form, 'gemm-i8');

  it('runs only the formats that have a kernel of it', () => {
    expect(runningFormats(setupOf(gemm, { formats: withGemm })).map((f) => f.id)).toEqual([REFERENCE_FORMAT]);
    const { operation, entries } = toRequest(setupOf(gemm, { formats: withGemm }));
    expect(operation).toBe('gemm-i8');
    expect(entries).toEqual([{ format: REFERENCE_FORMAT, params: { valueType: 'i8' }, kernels: 'auto' }]);
  });
  it('uses the value type of the document if a kernel supports it, and the type of a kernel otherwise', () => {
    const [dense] = withGemm.filter((f) => f.id === REFERENCE_FORMAT);
    expect(paramsToRun(dense, gemm, { valueType: 'f32' })).toEqual({ valueType: 'i8' });
    expect(paramsToRun(dense, form, { valueType: 'f32' })).toEqual({ valueType: 'f32' });
  });
  it('changes only the parameters that no kernel of the operation supports', () => {
    const [macko] = formats.filter((f) => f.id === 'macko');
    const only = [{ deltaBits: [8], valueType: ['i8'] }, { valueType: ['f32'] }];
    const strict = { ...macko, kernels: only.map((o) => ({ ...macko.kernels[0], operation: 'gemm-i8', only: o })) };
    expect(paramsToRun(strict, gemm, { deltaBits: 4, valueType: 'f16' })).toEqual({ deltaBits: 4, valueType: 'f32' });
    expect(paramsToRun(strict, gemm, { deltaBits: 8, valueType: 'i8' })).toEqual({ deltaBits: 8, valueType: 'i8' });
  });
  it('requests only its own kernels among those that are chosen one by one', () => {
    const chosen = { ...gemm, variants: 'chosen' as const, kernels: [`${REFERENCE_FORMAT}/fake`, 'macko/none'] };
    expect(toRequest(setupOf(chosen, { formats: withGemm })).entries.map((e) => e.kernels)).toEqual([
      [`${REFERENCE_FORMAT}/fake`],
    ]);
  });
  it('the chosen operation has separate sizes, with their defaults until they are changed', () => {
    expect([sizesOf(form), sizesOf(gemm)]).toEqual([{}, { tokens: 256 }]);
    const changed = withSize(gemm, 'tokens', 5);
    expect(toRequest(setupOf(changed, { formats: withGemm })).sizes).toEqual({ tokens: 5 });
    expect(sizesOf(withOperation(changed, 'gemm'))).toEqual({ tokens: 256 });
    expect(sizesOf(withOperation(withOperation(changed, 'gemm'), 'gemm-i8'))).toEqual({ tokens: 5 });
  });
  it('cannot run with an invalid size, until another operation without this size is chosen', () => {
    const wrong = withValidity(gemm, 'size tokens', false);
    expect(formProblem(wrong)).toBe('Tokens: enter a whole number from 1 to 65536.');
    expect(formProblem(withOperation(wrong, 'gemm'))).toBeNull();
  });
  it('runs only on the GPU, unless it is y = A x', () => {
    expect(processorFor({ ...gemm, where: 'cpu' }, null)).toBe('gpu');
    expect(processorFor({ ...form, where: 'cpu' }, null)).toBe('cpu');
    expect(runProblem(setupOf(gemm, { formats: withGemm, device: WITHOUT_GPU }))).toMatch(/^Y = Q\(X\) Aᵀ needs a GPU/);
    expect(runProblem(setupOf(form, { formats: withGemm, device: WITHOUT_GPU }))).toBeNull();
  });
  it('cannot run without any kernel', () => {
    expect(runProblem(setupOf(gemm, { formats: spmvAlone }))).toBe('No kernel for Y = Q(X) Aᵀ is chosen.');
    expect(runProblem(setupOf(gemm, { formats: withGemm }))).toBeNull();
  });
});

describe('formProblem(form)', () => {
  it('describes an invalid field, and returns null once it is valid', () => {
    expect(formProblem(form)).toBeNull();
    const wrong = withValidity(form, 'rounds', false);
    expect(formProblem(wrong)).toBe('Rounds: enter a whole number from 1 to 200.');
    expect(formProblem(withValidity(withValidity(wrong, 'rounds', false), 'rounds', true))).toBeNull();
  });
  it('ignores an invalid workload while it is not used', () => {
    const wrong = withValidity(form, 'workload', false);
    expect(formProblem(wrong)).toBeNull();
    expect(formProblem({ ...wrong, workload: 'generated' })).toMatch(/workload/);
  });
});

describe('drafts of this session', () => {
  const variant = {
    draft: 'a',
    format: 'csr',
    operation: SPMV.id,
    params: { valueType: 'f32' },
    kernel: 'csr/spmv_scalar',
    files: {},
    overrides: {},
    mark: { name: 'mine', version: 2 },
  };
  const draftsOf = (benchForm: BenchForm, others: Partial<BenchSetup> = {}) =>
    toRequest(setupOf(benchForm, { drafts: [variant], ...others })).entries.filter(({ draft }) => draft);

  it('run as separate entries, with their parameters, unless they are left out', () => {
    const { kernel, files, overrides, mark } = variant;
    const draft = { kernel, files, overrides, mark };
    expect(draftsOf(form)).toEqual([{ format: 'csr', params: variant.params, kernels: 'all', draft }]);
    expect(draftsOf({ ...form, withoutDrafts: ['a 2'] })).toEqual([]);
  });

  it('do not run on the CPU, nor for another operation', () => {
    expect([draftsOf(form, { device: WITHOUT_GPU }), draftsOf(withOperation(form, 'gemm'))]).toEqual([[], []]);
  });
});

import { describe, expect, it } from 'vitest';
import { formats } from '../../formats/registry.ts';
import { defaultDocument } from '../../state/index.ts';
import { CATALOG } from '../../state/testing.ts';
import {
  createBenchForm,
  formProblem,
  REFERENCE_FORMAT,
  SWEEP_DENSITIES,
  toRequest,
  toSweepRequest,
  withPart,
} from './bench-form.ts';

const form = createBenchForm(formats).getState();
const doc = defaultDocument({ ...CATALOG, formats });
const WITHOUT_GPU = { kind: 'unavailable', reason: 'no WebGPU' } as const;

describe('toRequest(form, doc, formats, device)', () => {
  it('asks for every format with the parameters of the document, on the GPU', () => {
    const request = toRequest(form, doc, formats, null);
    expect(request.workload).toEqual({ kind: 'stage' });
    expect(request.where).toBe('gpu');
    expect(request.entries.map((e) => e.format)).toEqual(formats.map((f) => f.id));
    for (const entry of request.entries) {
      expect(entry.params).toEqual(doc.params[entry.format]);
      expect(entry.kernels).toBe('auto');
    }
  });
  it('keeps the reference when nothing is ticked', () => {
    const { entries } = toRequest({ ...form, formats: [] }, doc, formats, null);
    expect(entries.map((e) => e.format)).toEqual([REFERENCE_FORMAT]);
  });
  it('asks for chosen kernels by format, and leaves out formats without any', () => {
    const chosen = formats.filter((f) => f.id === 'macko' || f.id === REFERENCE_FORMAT).map((f) => f.kernels[0].id);
    const { entries } = toRequest({ ...form, variants: 'chosen', kernels: chosen }, doc, formats, null);
    expect(entries.map((e) => [e.format, e.kernels])).toEqual(
      entries.map((e) => [e.format, chosen.filter((id) => id.startsWith(`${e.format}/`))]),
    );
    expect(entries.map((e) => e.format).toSorted()).toEqual([REFERENCE_FORMAT, 'macko'].toSorted());
  });
  it('runs on the CPU where there is no GPU, whatever was chosen', () => {
    expect(toRequest(form, doc, formats, WITHOUT_GPU).where).toBe('cpu');
  });
});

describe('toSweepRequest(form, doc, formats, device, stage)', () => {
  it('takes the shape of the matrix on the stage', () => {
    const { workload } = toSweepRequest(form, doc, formats, null, { rows: 5, cols: 32 });
    expect(workload).toMatchObject({ kind: 'generated', spec: { rows: 5, cols: 32, density: SWEEP_DENSITIES[0] } });
  });
  it('takes the generated spec as it is', () => {
    const { workload } = toSweepRequest({ ...form, workload: 'generated' }, doc, formats, null, { rows: 5, cols: 32 });
    expect(workload).toEqual({ kind: 'generated', spec: form.spec });
  });
});

describe('formProblem(form)', () => {
  it('names the part that is wrong, and forgets it when it is right', () => {
    expect(formProblem(form)).toBeNull();
    const wrong = withPart(form, 'rounds', false);
    expect(formProblem(wrong)).toMatch(/rounds/);
    expect(formProblem(withPart(withPart(wrong, 'rounds', false), 'rounds', true))).toBeNull();
  });
  it('does not mind a workload that is not used', () => {
    const wrong = withPart(form, 'workload', false);
    expect(formProblem(wrong)).toBeNull();
    expect(formProblem({ ...wrong, workload: 'generated' })).toMatch(/workload/);
  });
});

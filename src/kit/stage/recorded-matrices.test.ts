import { expect, it } from 'vitest';
import { unpackRecording } from '../../core/reports/recording.ts';
import { macko } from '../../formats/macko/index.ts';
import { referenceFormat } from '../../formats/registry.ts';
import { RECORDING } from '../../../test/recording.ts';
import { recordedMatrices } from './RecordedTimesLoader.tsx';

it('recordedMatrices dates each matrix by the sitting in which it was timed', () => {
  const [report] = RECORDING.reports;
  const sitting = { date: '2026-02-03', commit: 'fedcba98' };
  const laterReport = {
    ...report,
    sitting,
    workload: { ...report.workload, source: 'planted-blocks, density 0.1, seed 1' },
  };
  const reports = unpackRecording({ ...RECORDING, reports: [report, laterReport] });
  const { recorded: _, ...unrecordedReport } = reports[0];
  const matrices = recordedMatrices([...reports, unrecordedReport], macko, referenceFormat);
  expect(matrices.map(({ pattern, date, format }) => [pattern, date, format?.ns])).toEqual([
    ['uniform', '31 January 2026', 16_000],
    ['planted-blocks', '3 February 2026', 16_000],
    ['uniform', '31 January 2026', 16_000],
  ]);
});

it('recordedMatrices returns one object as the time of the format and of dense if the format is dense', () => {
  const reports = unpackRecording(RECORDING);
  const [recorded] = recordedMatrices(reports, referenceFormat, referenceFormat);
  expect(recorded.dense).not.toBeNull();
  expect(recorded.format).toBe(recorded.dense);
  const [other] = recordedMatrices(reports, macko, referenceFormat);
  expect(other.format).not.toBe(other.dense);
});

it('recordedMatrices returns the times of other formats by their ids, without the format itself and dense', () => {
  const reports = unpackRecording(RECORDING);
  const [ofMacko] = recordedMatrices(reports, macko, referenceFormat, [macko, referenceFormat]);
  expect(ofMacko.otherFormats).toEqual({});
  const [ofDense] = recordedMatrices(reports, referenceFormat, referenceFormat, [macko, referenceFormat]);
  expect(ofDense.otherFormats).toEqual({ [macko.id]: ofMacko.format });
});

it('recordedMatrices marks the time of a simple kernel', () => {
  const reports = unpackRecording(RECORDING);
  const timeOf = (simpleKernel: string): unknown => {
    const kernels = macko.kernels.map((kernel) =>
      kernel.id === simpleKernel ? { ...kernel, isSimple: true as const } : kernel,
    );
    return recordedMatrices(reports, { ...macko, kernels }, referenceFormat)[0].format?.isSimple;
  };
  expect([timeOf('macko/spmv_staged'), timeOf('macko/spmv_subgroup')]).toEqual([true, undefined]);
});

import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { defineService } from '../../../../src/engine/bridge/service.ts';
import type { EngineHost } from '../../../../src/engine/host.ts';
import { finishPaced } from '../../../../src/engine/worker-pace.ts';
import { referenceFormat } from '../../../../src/formats/registry.ts';
import { type GenerateSpec, generateSteps } from '../../../../src/generate/generate.ts';
import { writeNpy } from '../../../../src/io/index.ts';
import { BATCH, type BatchActivations, type RunSettings, SIZES, type TestResult } from '../../theory/run.ts';
import type { StepFormats } from '../../theory/step.ts';
import { findFittingParams } from './step-formats.ts';
import { type OnPoint, train } from './train.ts';

/** What the page Training calls in the worker. */
export const trainingService = defineService('training', (host: EngineHost) => ({
  /**
   * Trains a network. Calls `onPoint` with every point of its curves, and waits for the reply: the coefficients of L1
   * for the steps that follow. Throws CancelledError, and SparseScopeError during a measurement.
   */
  async run(job: ServiceJob, settings: RunSettings, onPoint: OnPoint): Promise<TestResult> {
    host.throwIfBusy('train');
    return train(job, settings, onPoint);
  },
  /**
   * Finds on the GPU how large the arrays of a sparse format have to be for activations of about the density of
   * `spec`, computed from inputs of `width` columns. Throws like `findFittingParams`, NoDeviceError, CancelledError,
   * and SparseScopeError during a measurement.
   */
  stepFormats: (job: ServiceJob, spec: GenerateSpec, width: number): Promise<StepFormats> =>
    host.exclusively(async () => {
      const context = await host.device.open();
      const h = await finishPaced(generateSteps(spec), job, host);
      const { formats } = host;
      return context.exclusively(() =>
        findFittingParams(context, { formats, reference: referenceFormat }, h, width, job),
      );
    }),
  /** The activations of a step as an .npy file, which the other pages can open. */
  file: (_job: ServiceJob, { cells }: BatchActivations): Uint8Array<ArrayBuffer> =>
    writeNpy(BATCH, SIZES.hidden, cells, 'f32'),
}));

export type TrainingService = typeof trainingService;

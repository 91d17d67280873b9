import type { ServiceJob } from '../../../../engine/bridge/job.ts';
import { defineService } from '../../../../engine/bridge/service.ts';
import type { EngineHost } from '../../../../engine/host.ts';
import { finishPaced } from '../../../../engine/pace.ts';
import { referenceFormat } from '../../../../formats/registry.ts';
import { type GenerateSpec, generateSteps } from '../../../../generate/generate.ts';
import { writeNpy } from '../../../../io/write/write-npz.ts';
import { BATCH, type BatchActivations, type RunSettings, SIZES, type TestResult } from '../../theory/run.ts';
import type { StepRoom } from '../../theory/step.ts';
import { findRoom } from './step-room.ts';
import { type OnPoint, train } from './train.ts';

export const trainingService = defineService('training', (host: EngineHost) => ({
  /**
   * Trains a network and tells of every point of its curves; the answer to a point has the coefficients from there on, and
   * may be late: the run waits. Throws CancelledError, and Error while times are taken.
   */
  async run(job: ServiceJob, settings: RunSettings, onPoint: OnPoint): Promise<TestResult> {
    host.refuseIfBusy('train');
    return train(job, settings, onPoint);
  },
  /**
   * The structures in which the activations of a gate that fires about as often as this matrix have room, found on the GPU.
   * Throws like `findRoom`, NoDeviceError, CancelledError, and SparseScopeError while times are taken.
   */
  room: (job: ServiceJob, spec: GenerateSpec, width: number): Promise<StepRoom> =>
    host.alone(async () => {
      const context = await host.device.open();
      const h = await finishPaced(generateSteps(spec), job, host);
      const { formats } = host;
      return context.exclusively(() => findRoom(context, { formats, reference: referenceFormat }, h, width, job));
    }),
  /** The activations of a step as an .npy file, which other places open. */
  file: (_job: ServiceJob, { cells }: BatchActivations): Uint8Array<ArrayBuffer> =>
    writeNpy(BATCH, SIZES.hidden, cells, 'f32'),
}));

export type TrainingService = typeof trainingService;

import { BATCH, type BatchActivations, SIZES, STEPS } from '../../theory/run.ts';
import recorded from './recorded.json';

/** The activations of the first test images at the end of the recorded run. */
export function finalTestActivations(): BatchActivations {
  const cells = new Float32Array(BATCH * SIZES.hidden);
  const { batch } = recorded.end;
  for (let i = 0; i < batch.length; i += 2) cells[batch[i]] = batch[i + 1];
  return { step: STEPS, cells };
}

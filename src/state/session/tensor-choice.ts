import type { Watch } from '../../engine/bridge/service.ts';
import type { MatrixSource } from '../../engine/matrix/source-types.ts';
import { baseOf, withTensor } from '../document.ts';
import { isContainer, type MatrixRequests } from './matrix-requests.ts';
import type { SessionContext } from './session-context.ts';
import { CancelledError } from '../../core/errors.ts';
import type { MatrixPreview } from '../../engine/matrix/preview.ts';

/** Actions on a file with several matrices, or with more bytes than its limit. */
export interface TensorChoices {
  /** Lists the tensors of the current file again. */
  browseTensors(): Promise<void>;
  /** Previews a tensor of the file in `choice`. */
  previewTensor(tensor: string, watch: Watch): Promise<MatrixPreview>;
  /** Opens a tensor of the file in `choice`. */
  openTensor(tensor: string): Promise<void>;
  dismissChoice(): void;
  /** Opens the file of `overLimit` with the higher limit. */
  openOverLimit(): Promise<void>;
}

export interface Offers {
  /** Lists the contents of the file of `source`, for a person to choose from. */
  offerChoice(source: MatrixSource, watch?: Watch): Promise<void>;
  /** Offers a higher limit; `error` is the failure at the current one. */
  offerMore(source: MatrixSource, error: string): void;
}

export function createTensorChoices(
  context: SessionContext,
  requests: MatrixRequests,
  open: (source: MatrixSource) => Promise<void>,
): TensorChoices & Offers {
  const { matrix, store, document } = context;
  const offerChoice = async (source: MatrixSource, watch: Watch = {}): Promise<void> => {
    const base = baseOf(source);
    if (!isContainer(base)) return;
    const shown = store.getState().summary;
    // Another matrix was requested, or has been opened.
    const isLate = (): boolean => watch.signal?.aborted === true || store.getState().summary !== shown;
    try {
      const { tensors } = await matrix.tensors(watch, requests.ofContainer(base));
      if (tensors && !isLate()) store.setState({ choice: { source, tensors }, error: null });
    } catch (error) {
      if (!isLate()) context.fail(error);
    }
  };
  return {
    offerChoice,
    offerMore(source, error) {
      const base = baseOf(source);
      if (!isContainer(base)) return;
      store.setState({ overLimit: { source, error, maxDecompressedBytes: requests.higherLimit(base) } });
    },
    browseTensors: () => offerChoice(baseOf(document.getState().source)),
    async previewTensor(tensor, watch) {
      const { choice } = store.getState();
      const base = choice && baseOf(choice.source);
      if (!base || !isContainer(base)) throw new CancelledError();
      return matrix.preview(watch, { ...requests.ofContainer(base), tensor });
    },
    async openTensor(tensor) {
      const { choice } = store.getState();
      if (!choice) return;
      store.setState({ choice: null });
      await open(withTensor(choice.source, tensor));
    },
    dismissChoice() {
      store.setState({ choice: null });
    },
    async openOverLimit() {
      const { overLimit } = store.getState();
      const base = overLimit && baseOf(overLimit.source);
      if (!base || !isContainer(base)) return;
      requests.raiseLimit(base, overLimit.maxDecompressedBytes);
      store.setState({ overLimit: null, error: null });
      await open(overLimit.source);
    },
  };
}

import type { Watch } from '../../engine/bridge/service.ts';
import type { MatrixSource } from '../../engine/matrix/source-types.ts';
import { baseOf, withTensor } from '../document.ts';
import { isContainer, type MatrixRequests } from './matrix-requests.ts';
import type { SessionContext } from './session-context.ts';
import { CancelledError } from '../../core/errors.ts';
import type { MatrixPreview } from '../../engine/matrix/preview.ts';

export type FileOffers = ReturnType<typeof createFileOffers>;

/** Questions about a file: which of its matrices to open, or whether to allow more decompressed bytes. */
export function createFileOffers(
  context: SessionContext,
  requests: MatrixRequests,
  open: (source: MatrixSource) => Promise<void>,
) {
  const { matrix, store, document } = context;
  /** Lists the contents of the file of `source`, for the user to choose from. */
  const offerChoice = async (source: MatrixSource, watch: Watch = {}): Promise<void> => {
    const base = baseOf(source);
    if (!isContainer(base)) return;
    const summaryBefore = store.getState().summary;
    // Whether the listing was cancelled, or another matrix was opened, meanwhile.
    const isLate = (): boolean => watch.signal?.aborted === true || store.getState().summary !== summaryBefore;
    try {
      const { tensors } = await matrix.tensors(watch, requests.containerRequest(base));
      if (tensors && !isLate()) store.setState({ choice: { source, tensors }, error: null });
    } catch (error) {
      if (!isLate()) context.fail(error, 'Listing the file');
    }
  };
  return {
    offerChoice,
    /** Offers a higher limit of decompressed bytes; `error`: the message of the failure at the current one. */
    offerHigherLimit(source: MatrixSource, error: string): void {
      const base = baseOf(source);
      if (!isContainer(base)) return;
      store.setState({ overLimit: { source, error, maxDecompressedBytes: requests.higherLimit(base) } });
    },
    /** Lists the tensors of the current file again. */
    browseTensors: () => offerChoice(store.getState().summary?.read?.from ?? baseOf(document.getState().source)),
    async previewTensor(tensor: string, watch: Watch): Promise<MatrixPreview> {
      const { choice } = store.getState();
      const base = choice && baseOf(choice.source);
      if (!base || !isContainer(base)) throw new CancelledError();
      return matrix.preview(watch, { ...requests.containerRequest(base), tensor });
    },
    async openTensor(tensor: string): Promise<void> {
      const { choice } = store.getState();
      if (!choice) return;
      store.setState({ choice: null });
      await open(withTensor(choice.source, tensor));
    },
    dismissChoice(): void {
      store.setState({ choice: null });
    },
    /** Opens the file of `overLimit` with the higher limit. */
    async openOverLimit(): Promise<void> {
      const { overLimit } = store.getState();
      const base = overLimit && baseOf(overLimit.source);
      if (!base || !isContainer(base)) return;
      requests.raiseLimit(base, overLimit.maxDecompressedBytes);
      store.setState({ overLimit: null, error: null });
      await open(overLimit.source);
    },
  };
}

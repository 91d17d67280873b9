// Files as matrices, for the worker, the package and the command. The page reads no file, and imports a few small files of src/io
// by their names (FACES in scripts/import-rules.mjs).

// Reading.
export type { Container } from './container.ts';
export {
  countMatrix,
  type FileContents,
  type LinesAs,
  type LinesReading,
  listTensors,
  openContents,
  type OpenedContents,
  type OpenedMatrix,
  openTensors,
  type PageReadOptions,
  readMatrix,
  type ReadOptions,
  TensorChoiceError,
  type TensorInfo,
} from './read.ts';
export { fileSource, type MatrixFile, type RandomAccessSource, readBytes, readHead, streamChunks } from './source.ts';
export { rejectUnsupported } from './unsupported-kinds.ts';

// Files of tensors.
export { OtherFileError, readEncodedFile } from './tensors/encoded-file.ts';
export { gguf, type GgufValue, openGguf, readGgufMetadata } from './tensors/gguf.ts';
export { encodedFacts, encodedTensors } from './tensors/named-tensors.ts';
export { openSafetensors } from './tensors/safetensors.ts';

// Files of the web.
export { parseReference } from './web/reference.ts';
export { RemoteCache } from './web/remote-cache.ts';
export { ConnectionError } from './web/remote-source.ts';
export { openReference, type RemoteFile } from './web/remote.ts';

// Writing.
export { writeMtx } from './write/write-mtx.ts';
export { npyHeader, writeNpy, writeNpzSteps, writeSparseNpzSteps } from './write/write-npz.ts';
export { safetensorsHead, writeSafetensors } from './write/write-safetensors.ts';

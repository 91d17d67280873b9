// Written by `npm run labs`: exports and packages that only labs/language uses. Nothing imports this file. It keeps knip, which
// finds unused exports, from reporting them while that folder is removed. Delete it when the lab is gone for good.
import type {} from '@huggingface/tokenizers';
export type { decodeBytes } from '../src/core/reports/decode-report.ts';
export type { Products, TOKEN_GROUP } from '../src/core/wasm/product.ts';
export type {
  Buffers,
  DeviceArray,
  ResourceError,
  Runnable,
  TimedKernel,
  Timer,
  compilePass,
  guarded,
  openClock,
} from '../src/gpu/index.ts';
export type {
  ConnectionError,
  Container,
  GgufValue,
  RandomAccessSource,
  gguf,
  openGguf,
  openSafetensors,
  openTensors,
  readGgufMetadata,
  rejectUnsupported,
  safetensorsHead,
  streamChunks,
} from '../src/io/index.ts';
export type { PageFigureProps, PageShowProps } from '../src/kit/page-parts.ts';
export type { decodeReports } from '../src/kit/report/use-decode-reports.ts';
export type { modelPairs } from '../src/pages/compare/service/service.ts';
export type { JobContext, JobSlot, choicePairs, readChoicePairs, remainingTime } from '../src/state/index.ts';
export type { ShippedModel } from '../src/theory/models/known-models.ts';
export type { isSparseRelu } from '../src/theory/models/model-config.ts';

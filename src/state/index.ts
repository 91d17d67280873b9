// What the page shows and remembers: its document, addresses, the player of stories, preferences, forms, devices and the session.
export {
  createBenchForm,
  FIRST_OPERATION,
  isTimedInBlock,
  type OperationQuery,
  SEED,
  withUsualOperation,
} from './bench-form-store.ts';
export {
  type BenchForm,
  type BenchFormStore,
  type BenchSetup,
  canRun,
  chosenKernels,
  comparedValueTypes,
  draftsFor,
  kernelsOf,
  type KernelsToRun,
  operationOf,
  pairOf,
  paramsOf,
  paramsToRun,
  processorFor,
  runningFormats,
  runProblem,
  sizesOf,
  type SweepChoice,
  toRequest,
  withOperation,
  withSize,
  withValidity,
} from './bench-form.ts';
export { browserStore } from './browser-store.ts';
export {
  type AppDocument,
  atStart,
  baseOf,
  secondFormat,
  type Catalog,
  choiceA,
  choiceWith,
  createDocumentStore,
  currentParams,
  defaultChoice,
  defaultDocument,
  type DocumentStore,
  equalChoices,
  exampleInstead,
  firstDocument,
  type FormatChoice,
  type FormatParams,
  containsActivations,
  isDefaultSource,
  MAX_TOKENS,
  modelPruning,
  paramFields,
  type ParamValue,
  placementOf,
  type Remedy,
  remedyPhrase,
  sameRegion,
  sameSource,
  sameStory,
  sourceNeededBy,
  valueTypesOf,
  withFormatB,
  withBothShown,
  withChoiceA,
  withFormat,
  withFrame,
  withKnownParts,
  withParam,
  withRemedy,
  withSource,
  withStep,
  withView,
} from './document.ts';
export { type EmbedAddress, embedCode, embedHash, originOf, readEmbedHash } from './embed-address.ts';
export { asMessage, failureText, notSavedText, notLoaded } from './error-messages.ts';
export { bindHistory, type CellHistory } from './history.ts';
export { withRecordedKernels } from './recorded-kernel.ts';
export {
  choicePairs,
  type Choices,
  type DocumentPages,
  type PageAddress,
  pageAddress,
  pageState,
  readChoicePairs,
  textField,
  wholeField,
  withChosen,
  withPage,
  wordField,
} from './page-address.ts';
export { followLink, type LinkArguments, type LinkTargets, type PageEntry } from './page-entry.ts';
export {
  atStep,
  chapterAt,
  chapterStart,
  countedFrames,
  frameAt,
  frameOfNumber,
  frameReference,
  isQuestion,
  isRunning,
  numberOfFrame,
  type PlayerState,
  QUESTION_MS,
  STEP_MS,
  type Story,
} from './played-story.ts';
export { createPlayer, type Player, SPEEDS } from './player.ts';
export { createPreferences, type Preferences, type Theme, THEMES } from './preferences.ts';
export { REFERENCE_FORMAT } from './reference-format.ts';
export { storedText, storeText, type TextStorage } from './text-storage.ts';
export { remainingTime } from './time-left.ts';
export { isLinkNote } from './url-fields.ts';
export { type DecodedHash, decodeHash, encodeHash, type LinkedFormat, reservedKeys } from './url.ts';
export { defaultWindow, fitWindow, MAX_WINDOW_SIDE } from './window.ts';

// Devices and what was recorded on them.
export { adapterName } from './devices/adapter-name.ts';
export { enteredSpeeds, F32_SPEEDS, READ_SPEEDS, THIS_DEVICE } from './devices/device-ids.ts';
export {
  type Device,
  DEVICE_KINDS,
  type DeviceKind,
  deviceSearchText,
  hasOnlyBounds,
  shapesOf,
} from './devices/device.ts';
export { chooseDevice, dayText, devicesOf, typedId } from './devices/devices.ts';
export { createRecordings, type Recordings, type RecordingSource } from './devices/recordings.ts';
export { reportsWithReadSpeed } from './devices/roofs.ts';

// Requests to the worker.
export { createJobs, generationInWorker, IDLE, type JobRequest, type Jobs, type JobState } from './jobs/jobs.ts';

// Reports as files.
export { browserDecodeStore, createDecodeReports, tokenSpeedsOf } from './reports/decode-reports.ts';
export { reportsToJson } from './reports/report-export.ts';

// The open matrix with what is computed of it.
export { encodingOf } from './session/encoding-queue.ts';
export { hasSavedFiles } from './session/has-saved-files.ts';
export { type JobContext, JobSlot } from './session/job-slot.ts';
export type { SavedFiles, OpenedFile } from './session/saved-files.ts';
export { createSavedRuns } from './session/saved-runs.ts';
export { browserRunStore, type TabStorage } from './session/run-store.ts';
export { isCancelled, isEngineDeath, messageFor } from './session/session-context.ts';
export {
  type BenchRun,
  type DraftVariant,
  EMPTY_SESSION,
  type EncodingState,
  fileNotesKey,
  lastTick,
  type LoadedStory,
  type RunEnd,
  type RunningJob,
  type SessionState,
  visibleStory,
  stepsAt,
  type StoryState,
  type TensorChoice,
  variantId,
} from './session/session-state.ts';
export { createSession, type Session } from './session/session.ts';

// src/app needs it, and may not import the file itself.
export { OPENED_ENDINGS } from '../io/chosen-files.ts';

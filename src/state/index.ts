export {
  type AppDocument,
  baseOf,
  type Catalog,
  createDocumentStore,
  currentParams,
  defaultDocument,
  type DocumentStore,
  type Example,
  type FormatParams,
  type ParamValue,
  paramAccepts,
  paramExpectation,
  paramFields,
  paramsAt,
  type Pattern,
  sameRegion,
  sameSource,
  withFormat,
  withParam,
  withStep,
  withView,
  withKnownParts,
  withWindow,
} from './document.ts';
export {
  type Choices,
  choicePairs,
  followLink,
  type LinkArguments,
  type Links,
  type LinkTargets,
  type PlaceAddress,
  placeAddress,
  type PlaceEntry,
  placeState,
  readChoicePairs,
  type Shown,
  textField,
  wholeField,
  withPlace,
  wordField,
} from './place-address.ts';
export {
  chapterAt,
  chapterStart,
  createPlayer,
  type Player,
  type PlayerState,
  SPEEDS,
  STEP_MS,
  type Story,
} from './player.ts';
export {
  createPreferences,
  type Preferences,
  type PreferencesState,
  type PreferenceStorage,
  type Theme,
  THEMES,
} from './preferences.ts';
export { asSentence } from './sentence.ts';
export { browserRunStore } from './session/run-store.ts';
export { createSession, type Session } from './session/session.ts';
export type { SessionDependencies } from './session/session-context.ts';
export {
  type BenchRun,
  type BenchState,
  type DraftVariant,
  type EncodingState,
  newJob,
  type PreviewResult,
  type RunningJob,
  type SessionState,
  shownStory,
  type TensorChoice,
  type LoadedStory,
  type TraceState,
  variantId,
} from './session/session-state.ts';
export { defaultWindow, fitWindow, MAX_WINDOW, windowProblem } from './window.ts';
export { bindHistory, type HistoryWindow } from './history.ts';
export { reportsToJson } from './reports/report-export.ts';
export { type DecodedHash, decodeHash, encodeHash } from './url.ts';

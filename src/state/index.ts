// What other folders import most of src/state: what the page shows (its document), addresses, the player of stories,
// preferences and the session. Also what src/app needs of src/io/chosen-files.ts, a file that it may not import itself.
export {
  type AppDocument,
  atStart,
  baseOf,
  holdsActivations,
  besideA,
  placementOf,
  type Catalog,
  createDocumentStore,
  currentParams,
  defaultDocument,
  firstDocument,
  defaultChoice,
  choiceWith,
  type DocumentStore,
  type FormatParams,
  modelPruning,
  type ParamValue,
  paramFields,
  valueTypesOf,
  sameSource,
  equalChoices,
  type FormatChoice,
  choiceA,
  withAgainst,
  withChoiceA,
  withSwapped,
  withTokens,
  MAX_TOKENS,
  withParam,
  withBeside,
  withStep,
  withSource,
  withView,
  withKnownParts,
} from './document.ts';
export {
  type Choices,
  choicePairs,
  type PlaceAddress,
  placeAddress,
  placeState,
  readChoicePairs,
  type DocumentPlaces,
  textField,
  wholeField,
  withChosen,
  withPlace,
  wordField,
} from './place-address.ts';
export { followLink, type PlaceEntry } from './place-entry.ts';
export { atStep, chapterAt, chapterStart } from './played-story.ts';
export { createPlayer, type Player, SPEEDS } from './player.ts';
export { createPreferences, type Preferences, type Theme, THEMES } from './preferences.ts';
export { asSentence, failureSentence, notLoaded } from './error-sentences.ts';
export { encodingOf } from './session/encoding-queue.ts';
export { createSession, type Session } from './session/session.ts';
export {
  type BenchRun,
  type RunEnd,
  type DraftVariant,
  type EncodingState,
  fileNotesKey,
  type RunningJob,
  type SessionState,
  shownStory,
  stepsAt,
  lastTick,
  type TensorChoice,
  type LoadedStory,
  type StoryState,
  variantId,
} from './session/session-state.ts';
export { defaultWindow, fitWindow, MAX_WINDOW_SIDE } from './window.ts';
export { bindHistory } from './history.ts';
export { isLinkNote } from './url-fields.ts';
export { type DecodedHash, decodeHash, encodeHash, type LinkedFormat } from './url.ts';
export { OPENED_ENDINGS } from '../io/chosen-files.ts';

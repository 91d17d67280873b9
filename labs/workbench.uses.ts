// Written by `npm run labs`: exports and packages that only labs/workbench uses. Nothing imports this file. It keeps knip, which
// finds unused exports, from reporting them while that folder is removed. Delete it when the lab is gone for good.
import type {} from '@codemirror/commands';
import type {} from '@codemirror/language';
import type {} from '@codemirror/lint';
import type {} from '@codemirror/merge';
import type {} from '@codemirror/search';
import type {} from '@codemirror/state';
import type {} from '@codemirror/view';
import type {} from '@lezer/highlight';
export type { openLinkedFormats } from '../src/app/open-linked-formats.ts';
export type { DeclaredInputs, oneLine } from '../src/core/declared/accessors.ts';
export type { isScratch, scratchCard, scratchCards } from '../src/core/scratch/card.ts';
export type { benchRun } from '../src/engine/bench-service.ts';
export type { DraftCheckOptions } from '../src/engine/bench/bench-host.ts';
export type { baselineFormat } from '../src/formats/registry.ts';
export type { AwkwardMatrix } from '../src/generate/awkward/matrices.ts';
export type {
  Buffers,
  ComposedShader,
  OutputBuffer,
  TimedKernel,
  Timer,
  compilePass,
  composeShader,
  declaredBindings,
  forgetPasses,
  openClock,
  outputRegions,
  prepareKernel,
  regionBytes,
} from '../src/gpu/index.ts';
export type { ChoiceFields } from '../src/kit/browser/choices.ts';
export type { cssName } from '../src/kit/format-color.ts';
export type { CustomFormatListProps } from '../src/kit/format-provider.ts';
export type { splitHead } from '../src/lessons/parse.ts';
export type { CODE_ADDRESS } from '../src/pages/code/address.ts';
export type { PALETTE_ENTRIES } from '../src/pages/code/palette-entries.ts';
export type { KEYWORDS } from '../src/pages/code/wgsl-tokens.ts';
export type { DraftVariant, browserStore, messageFor, notSavedText } from '../src/state/index.ts';

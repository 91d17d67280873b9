import { useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { FrameContext, OwnTimes } from '../../story/frames.ts';
import { visibleStory } from '../../state/index.ts';
import { useApp, useSession, oncePerPage } from '../app-context.ts';
import { useMedia } from '../browser/use-media.ts';

/** Whether the page is as narrow as a phone. */
export function usePhone(): boolean {
  return useMedia('(width < 560px)');
}

/** Times of a format that were recorded on the device whose speeds the page shows. */
export interface FormatTimes {
  readonly format: string;
  readonly recorded: FrameContext['recordedTimes'];
  /** of the open matrix; null: unknown */
  readonly openMatrix: OwnTimes | null;
}

/** Makes a store of the times that `RecordedTimesLoader` has looked up last; null before. */
export const createTimes = () => createStore<FormatTimes | null>(() => null);

/** Makes a store of the point to which a frame's slider was moved, for one part (window) of the matrix; null: none. */
export const createChosenPoint = () =>
  createStore<{ readonly window: object; readonly point: string } | null>(() => null);

/** What the frames of a story show besides its steps, such as recorded times; the same object until a change. */
export function useFrameContext(): FrameContext {
  const still = useStillContext();
  const window = useSession((s) => visibleStory(s.trace)?.trace.window);
  const chosen = useStore(oncePerPage(useApp(), createChosenPoint));
  const point = chosen?.window === window ? chosen?.point : undefined;
  return useMemo(() => (point === undefined ? still : { ...still, point }), [still, point]);
}

/** The same for files and paper, where sliders are at their initial position. */
export function useStillContext(): FrameContext {
  const app = useApp();
  const isPhone = usePhone();
  const format = useSession((s) => visibleStory(s.trace)?.trace.format);
  // As the format stores it.
  const wholeMatrix = useSession((s) => visibleStory(s.trace)?.wholeMatrix ?? null);
  const wholeFacts = useSession((s) => visibleStory(s.trace)?.wholeFacts);
  const times = useStore(oncePerPage(app, createTimes));
  const recorded = times?.format === format ? (times?.recorded ?? null) : null;
  const ownTimes = times?.format === format ? (times?.openMatrix ?? null) : null;
  return useMemo(
    () => ({
      layout: isPhone ? 'narrow' : 'wide',
      wholeMatrix,
      recordedTimes: recorded,
      ownTimes,
      ...(wholeFacts && { wholeFacts }),
    }),
    [isPhone, wholeMatrix, wholeFacts, recorded, ownTimes],
  );
}

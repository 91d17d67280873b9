import { useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { FrameContext } from '../../core/story/frames.ts';
import { shownStory } from '../../state/index.ts';
import { useApp, useSession, oncePerPage } from '../app-context.ts';
import { useMedia } from '../browser/use-media.ts';

/** Whether the page is as narrow as a phone. */
export function usePhone(): boolean {
  return useMedia('(width < 560px)');
}

/** What was recorded of a format on the device whose speeds are shown. */
export interface FormatTimes {
  readonly format: string;
  readonly recorded: FrameContext['recorded'];
}

/** The last result of `RecordedTimes`; null before the first. */
export const createTimes = () => createStore<FormatTimes | null>(() => null);

/** The point at which a reader has left the slider of a frame, with the cut of that story; null: none. */
export const createChosenPoint = () =>
  createStore<{ readonly window: object; readonly point: string } | null>(() => null);

/** What frames may know besides their trace, with the position of their slider; the same object until something changes. */
export function useFrameContext(): FrameContext {
  const still = useStillContext();
  const window = useSession((s) => shownStory(s.trace)?.trace.window);
  const chosen = useStore(oncePerPage(useApp(), createChosenPoint));
  const point = chosen?.window === window ? chosen?.point : undefined;
  return useMemo(() => (point === undefined ? still : { ...still, point }), [still, point]);
}

/** What frames may know besides their trace in files and on paper, where sliders are at their initial position. */
export function useStillContext(): FrameContext {
  const app = useApp();
  const isPhone = usePhone();
  const format = useSession((s) => shownStory(s.trace)?.trace.format);
  const whole = useSession((s) => shownStory(s.trace)?.whole ?? null);
  const wholeFacts = useSession((s) => shownStory(s.trace)?.wholeFacts);
  const times = useStore(oncePerPage(app, createTimes));
  const recorded = times?.format === format ? (times?.recorded ?? null) : null;
  return useMemo(
    () => ({ layout: isPhone ? 'narrow' : 'wide', whole, recorded, ...(wholeFacts && { wholeFacts }) }),
    [isPhone, whole, wholeFacts, recorded],
  );
}

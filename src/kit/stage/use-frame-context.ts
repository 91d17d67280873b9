import { useMemo } from 'react';
import type { FrameContext } from '../../core/story/frames.ts';
import { shownStory } from '../../state/index.ts';
import { useSession } from '../app-context.ts';
import { useMedia } from '../browser/use-media.ts';

/** Below this width a page is laid out as on a phone. */
const PHONE = '(width < 560px)';

/** What frames may know besides their trace; the same object as long as nothing changes. */
export function useFrameContext(): FrameContext {
  const isPhone = useMedia(PHONE);
  const whole = useSession((s) => shownStory(s.trace)?.whole ?? null);
  return useMemo(() => ({ layout: isPhone ? 'narrow' : 'wide', whole, recorded: null }), [isPhone, whole]);
}

import { createStore } from 'zustand/vanilla';
import type { Stored } from '../../state/index.ts';

/** What the cursor of an open chooser is on: the sentence shows it until the chooser is closed. */
export const previewed = createStore<{ readonly side: 'a' | 'b'; readonly stored: Stored } | null>(() => null);

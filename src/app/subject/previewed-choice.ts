import { createStore } from 'zustand/vanilla';
import type { Stored } from '../../state/index.ts';

/** The choice under the cursor of an open chooser: the sentence shows it until the chooser closes. */
export const previewedChoice = createStore<{ readonly side: 'a' | 'b'; readonly stored: Stored } | null>(() => null);

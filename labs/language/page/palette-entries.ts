// Entries of the command palette for Language.

import type { PagePaletteEntries } from '../../../src/kit/page.ts';
import { pageState } from '../../../src/state/index.ts';
import { LANGUAGE, LANGUAGE_FIELDS, withTab } from './address.ts';
import { isModelsDialogOpen } from './models-dialog.ts';

const command = (id: string): string => `${LANGUAGE.id}-${id}`;

/** What the command palette finds for the page Language: search words for it and its commands, and its keys. */
export const PALETTE_ENTRIES: PagePaletteEntries = {
  searchWords: 'language model, llm, chat, story, tales, transformer, gpt, run a model',
  description: 'a model that writes, dense and pruned',
  keys: {
    title: 'Language, in its text and its neurons',
    rows: [
      { title: 'Write', keys: ['$mod+Enter'] },
      { title: 'Stop', keys: ['Escape'] },
      { title: 'The token before, the next one', keys: ['ArrowLeft', 'ArrowRight'] },
      { title: 'The layer before, the next one', keys: ['ArrowUp', 'ArrowDown'] },
      { title: 'To one that lost more than 1 bit', keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'] }, // to such a token
      { title: 'To the first broken law', keys: ['l'] }, // law: a rule that tales keep, such as spelling (judge.ts)
      { title: 'The dense text, or its own', keys: ['f'] },
      { title: 'One percent less left, or more', keys: [',', '.'] },
      { title: 'Ten percent less left, or more', keys: ['Shift+,', 'Shift+.'] },
    ],
  },
  searchWordsOf: {
    [command('text')]: 'generate text, prompt, write, output, sample, tale',
    [command('quality')]:
      'perplexity, bits per byte, accuracy, loss, degradation, evaluation, pruning curve, inputs used, teal, wina, threshold',
    [command('neurons')]:
      'activation sparsity, relu, activations, firing, dead neurons, mlp, interpretability, speed by layer, overflow, sparselm',
    [command('speed')]: 'tokens per second, decode, latency of a token, throughput, tok/s, launch overhead',
    [command('present')]: 'presentation, slides, full screen',
  },
  more: ({ app: { document } }) => [
    {
      id: command('bring'),
      group: 'Matrix',
      title: 'Import a model that writes',
      searchWords: 'own model, my model, upload a model, load a model, llama, gguf, checkpoint, sparselm, sakana',
      leadsTo: LANGUAGE.title,
      run: () => {
        document.setState(withTab(document.getState(), pageState(document.getState(), LANGUAGE_FIELDS).tab));
        isModelsDialogOpen.setState(true, true);
      },
    },
  ],
};

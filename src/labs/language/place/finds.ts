import type { PlaceFinds } from '../../../kit/place.ts';
import { LANGUAGE } from './address.ts';

const command = (id: string): string => `${LANGUAGE.id}-${id}`;

export const FINDS: PlaceFinds = {
  place:
    'language model, llm, chat, write, story, tale, tales, own model, bring a model, transformer, gpt, run a model, prompt',
  about: 'a model that writes, dense and pruned',
  keys: {
    title: 'Language, in its text and its neurons',
    rows: [
      { title: 'Write', keys: ['$mod+Enter'] },
      { title: 'Stop', keys: ['Escape'] },
      { title: 'The token before, the next one', keys: ['ArrowLeft', 'ArrowRight'] },
      { title: 'The layer before, the next one', keys: ['ArrowUp', 'ArrowDown'] },
      { title: 'To one that lost more than 1 bit', keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'] },
      { title: 'To the first broken law', keys: ['l'] },
      { title: 'The same text, or its own', keys: ['f'] },
      { title: 'One percent less left, or more', keys: [',', '.'] },
      { title: 'Ten percent less left, or more', keys: ['Shift+,', 'Shift+.'] },
    ],
  },
  also: {
    [command('text')]: 'generate text, prompt, write, output, sample, tale',
    [command('quality')]: 'perplexity, bits per byte, accuracy, loss, degradation, evaluation, pruning curve',
    [command('neurons')]: 'activation sparsity, relu, activations, firing, dead neurons, mlp, interpretability',
    [command('speed')]: 'tokens per second, decode, latency of a token, throughput, tok/s, launch overhead',
    [command('present')]: 'presentation, slides, full screen',
  },
  more: () => [],
};

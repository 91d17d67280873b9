import type { Command } from '../../../kit/command.ts';

/** What keys of the neurons do. */
export interface NeuronActions {
  readonly stop: () => void;
  readonly movePen: (by: 1 | -1) => void;
  readonly moveLayer: (by: 1 | -1) => void;
}

/** The keys of the neurons, while they are shown. */
export function neuronCommands({ stop, movePen, moveLayer }: NeuronActions): readonly Command[] {
  const command = (id: string, title: string, key: string, run: () => void): Command => ({
    id: `neurons-${id}`,
    group: 'Language',
    title,
    keys: [key],
    run,
  });
  return [
    command('stop', 'Stop writing', 'Escape', stop),
    command('next', 'Next token', 'ArrowRight', () => movePen(1)),
    command('before', 'Token before', 'ArrowLeft', () => movePen(-1)),
    command('layer-below', 'Next layer', 'ArrowDown', () => moveLayer(1)),
    command('layer-above', 'Layer before', 'ArrowUp', () => moveLayer(-1)),
  ];
}

import { useEffect, useEffectEvent } from 'react';
import type { Command } from '../../../kit/command.ts';
import { bindShortcuts } from '../../../kit/shortcuts.ts';

/** What keys of the text do. */
export interface TextActions {
  readonly stop: () => void;
  readonly move: (by: 1 | -1) => void;
  readonly moveToCostly: (by: 1 | -1) => void;
  readonly toBroken: () => void;
  readonly toggleMode: () => void;
  /** what is left changes by this share */
  readonly prune: (by: number) => void;
}

/** The keys of the text, while it is shown. */
function textCommands(actions: TextActions): readonly Command[] {
  const command = (id: string, title: string, key: string, run: () => void): Command => ({
    id: `text-${id}`,
    group: 'Language',
    title,
    keys: [key],
    run,
  });
  return [
    command('stop', 'Stop writing', 'Escape', actions.stop),
    command('next', 'Next token', 'ArrowRight', () => actions.move(1)),
    command('before', 'Token before', 'ArrowLeft', () => actions.move(-1)),
    command('next-costly', 'Next costly token', 'Shift+ArrowRight', () => actions.moveToCostly(1)),
    command('costly-before', 'Costly token before', 'Shift+ArrowLeft', () => actions.moveToCostly(-1)),
    command('broken', 'First broken law', 'l', actions.toBroken),
    command('mode', 'Held or free', 'f', actions.toggleMode),
    command('more', 'One percent more left', ',', () => actions.prune(0.01)),
    command('less', 'One percent less left', '.', () => actions.prune(-0.01)),
    command('much-more', 'Ten percent more left', 'Shift+Comma', () => actions.prune(0.1)),
    command('much-less', 'Ten percent less left', 'Shift+Period', () => actions.prune(-0.1)),
  ];
}

/** The keys work while the component is shown. */
export function useTextKeys(actions: TextActions): void {
  const latest = useEffectEvent(() => actions);
  useEffect(() => {
    const commands = textCommands({
      stop: () => latest().stop(),
      move: (by) => latest().move(by),
      moveToCostly: (by) => latest().moveToCostly(by),
      toBroken: () => latest().toBroken(),
      toggleMode: () => latest().toggleMode(),
      prune: (by) => latest().prune(by),
    });
    return bindShortcuts(window, commands, () => true);
  }, []);
}

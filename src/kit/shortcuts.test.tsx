// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import type { Command } from './command.ts';
import { bindShortcuts } from './shortcuts.ts';

let unbind = (): void => {};
afterEach(() => unbind());

/** The commands that pressing these keys runs, with the second command active or not. */
function commandsRunBy(keys: readonly string[], isActive: boolean): readonly string[] {
  const ran: string[] = [];
  const command = (id: string, key: string): Command => ({
    id,
    title: id,
    group: 'Place',
    keys: [key],
    run: () => ran.push(id),
  });
  const commands = [command('one', '1'), command('tab', 'g 1')];
  unbind = bindShortcuts(window, commands, ({ id }) => id === 'one' || isActive);
  for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  return ran;
}

it('a press of two keys runs the command of both, not the command of the second key alone', () => {
  expect(commandsRunBy(['g', '1'], true)).toEqual(['tab']);
});

it('a press of two keys runs the command of the second key if no command waits for both', () => {
  expect(commandsRunBy(['g', '1'], false)).toEqual(['one']);
});

it('a key runs its command again after another command', () => {
  expect(commandsRunBy(['g', '1', '1'], true)).toEqual(['tab', 'one']);
});

it('a key runs the active one of two commands with the same key', () => {
  const ran: string[] = [];
  const command = (id: string): Command => ({ id, title: id, group: 'Place', keys: ['p'], run: () => ran.push(id) });
  let activeId = 'one';
  unbind = bindShortcuts(window, [command('one'), command('two')], ({ id }) => id === activeId);
  const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', bubbles: true }));
  press();
  activeId = 'two';
  press();
  expect(ran).toEqual(['one', 'two']);
});

it('a key runs nothing behind a dialog, even if the focus has left the dialog', () => {
  document.body.append(Object.assign(document.createElement('dialog'), { open: true }));
  expect(commandsRunBy(['1'], true)).toEqual([]);
  document.querySelector('dialog')?.remove();
  expect(commandsRunBy(['1'], true)).toEqual(['one']);
});

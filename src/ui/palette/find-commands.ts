import type { Command } from '../commands.ts';

/**
 * The commands whose group and title contain every word of the query, in any order; those whose title begins with it
 * come first, otherwise the order stays.
 */
export function findCommands(commands: readonly Command[], query: string): readonly Command[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return commands;
  const words = wanted.split(/\s+/);
  const matches = commands.filter((command) => {
    const text = `${command.group} ${command.title}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const begins = (command: Command): boolean => command.title.toLowerCase().startsWith(wanted);
  return [...matches.filter(begins), ...matches.filter((command) => !begins(command))];
}

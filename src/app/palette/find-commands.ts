import type { Command } from '../../kit/command.ts';

/**
 * The commands whose group and title contain every word of the query, in any order. Those whose title begins with it
 * come first, then those in whose title a word begins with it, then the rest; otherwise the order stays.
 */
export function findCommands(commands: readonly Command[], query: string): readonly Command[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return commands;
  const words = wanted.split(/\s+/);
  const rank = (command: Command): number => {
    const title = command.title.toLowerCase();
    if (title.startsWith(wanted)) return 0;
    return ` ${title}`.includes(` ${wanted}`) ? 1 : 2;
  };
  return commands
    .filter((command) => {
      const text = `${command.group} ${command.title}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

/** A program with options of its own. */
interface Program {
  /** in the help, after its name */
  readonly does: string;
  load(): Promise<unknown>;
}

/** `programs` of labs/X/command.ts: those of the lab X. */
const programsOfLabs = Object.values(
  import.meta.glob<Readonly<Record<string, Program>>>('../../labs/*/command.ts', { eager: true, import: 'programs' }),
);

/** Programs with options of their own, which `npm run` starts, too. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  bench: { does: 'verifies and times kernels', load: () => import('../main.ts') },
  record: { does: 'measures what a recording of a GPU holds', load: () => import('../recording/main.ts') },
  ...Object.fromEntries(programsOfLabs.flatMap((programs) => Object.entries(programs))),
};

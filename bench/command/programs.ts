// The table of programs that `npx sparsescope` and `npm run` start.

/** A program of the command line that reads its options itself. */
interface Program {
  /** its description in the help */
  readonly does: string;
  load(): Promise<unknown>;
}

/** The programs that labs export as `programs` from their command.ts. */
const programsOfLabs = Object.values(
  import.meta.glob<Readonly<Record<string, Program>>>('../../labs/*/command.ts', { eager: true, import: 'programs' }),
);

/** The programs of the command line, by name; `npm run` can start them, too. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  bench: { does: 'verifies and times kernels', load: () => import('../main.ts') },
  record: { does: 'measures what a recording of a GPU holds', load: () => import('../recording/main.ts') },
  ...Object.fromEntries(programsOfLabs.flatMap((programs) => Object.entries(programs))),
};

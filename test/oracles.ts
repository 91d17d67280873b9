/**
 * What a test expects of a format, from the test's own table. Throws Error with what is missing, and where it belongs.
 *
 * @param table by the format's id
 * @param where the table's name in the test's file: 'NOTES in src/formats/contract/notes.test.ts'
 * @param says what an entry computes
 */
export function oracleOf<T>(table: Readonly<Record<string, T>>, id: string, where: string, says: string): T {
  const entry = Object.entries(table).find(([name]) => name === id);
  if (entry) return entry[1];
  throw new Error(
    `${id}: found no entry in ${where}, expected one that computes ${says}, without the code that is tested`,
  );
}

/** What to generate; serialisable, and part of the URL. The same spec gives the same matrix on every machine. */
export interface GenerateSpec {
  /** id of a pattern, see `patterns` */
  readonly pattern: string;
  readonly rows: number;
  readonly cols: number;
  readonly density: number;
  readonly seed: number;
  /** the pattern's own numbers by name; missing ones take their default */
  readonly options?: Readonly<Record<string, number>>;
}

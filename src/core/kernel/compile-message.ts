/** A compiler message with its position in a file. */
export interface CompileMessage {
  readonly severity: 'error' | 'warning' | 'info';
  readonly text: string;
  /** path relative to shaders/; null if it is about no line, such as the limits of a pipeline */
  readonly file: string | null;
  /** from 1; 0 without a file */
  readonly line: number;
  /** in UTF-16 units, from 1; 0 for the whole line */
  readonly column: number;
  /** in UTF-16 units; 0 if unknown */
  readonly length: number;
}

/** A range of densities with one winner. */
export interface Stretch<T> {
  readonly from: number;
  readonly to: number;
  readonly winner: T;
}

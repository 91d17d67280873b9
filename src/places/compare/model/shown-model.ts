import type { AnyListedFormat } from '../../../core/format.ts';
import type { CurvePoint, ModelView } from './model-view.ts';

/** A model stored in one way at one density, as it is shown and saved. */
export interface ShownModel {
  readonly view: ModelView;
  readonly format: AnyListedFormat;
  readonly params: Readonly<Record<string, unknown>>;
  /** the parameters adjusted to the model's shapes, if all shapes agree */
  readonly shownParams: Readonly<Record<string, unknown>>;
  /** the format with its value type */
  readonly title: string;
  /** tokens per second at the measured densities */
  readonly curve: readonly CurvePoint[];
  /** name of the device; null if none of its times is shown */
  readonly device: string | null;
}

import { KNOWN_MODELS, type ModelShape } from './model-shape.ts';

/** A model whose weights come with the page: a folder of public/models as the Hugging Face hub has them. */
export interface ShippedModel {
  /** in addresses, and the name of its folder */
  readonly id: string;
  readonly shape: ModelShape;
}

/** Names of folders by those of `KNOWN_MODELS`. */
const FOLDERS = {
  'Tales 3.4M': 'tales',
  'Tales ReLU 3.4M': 'tales-relu',
  'Tales pruned 3.4M': 'tales-pruned',
  'Tales 0.6M': 'tales-small',
} as const;

const shipped = KNOWN_MODELS.flatMap((shape) => {
  const id = shippedId(shape);
  return id === null ? [] : [{ id, shape }];
});

/** Models that write tales (docs/language.md). */
export const SHIPPED_MODELS: readonly ShippedModel[] = shipped;

/** The id of a model that comes with the page; null for any other. */
export function shippedId({ name }: Pick<ModelShape, 'name'>): string | null {
  return Object.hasOwn(FOLDERS, name) ? FOLDERS[name as keyof typeof FOLDERS] : null;
}

/** The shipped model with this id; null for any other. */
export function shippedModel(id: string): ShippedModel | null {
  return SHIPPED_MODELS.find((one) => one.id === id) ?? null;
}

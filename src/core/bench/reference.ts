import type { AnyFormat, ParamField } from '../format.ts';

/**
 * The value type of the reference for cells of `valueType`: what that type's option names, else the same type, else the
 * default if the reference format lacks that type.
 */
export function referenceValueType(reference: Pick<AnyFormat, 'params'>, valueType: unknown): unknown {
  const field: ParamField<unknown> = reference.params.valueType;
  const option = field.kind === 'choice' ? field.options.find((o) => o.value === valueType) : undefined;
  return option ? (option.comparedWith ?? option.value) : field.default;
}

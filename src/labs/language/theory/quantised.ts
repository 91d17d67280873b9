/** Whether a format with these parameters changes the values of a model's file. */
export function isQuantised({ valueType }: Readonly<Record<string, unknown>>): boolean {
  return valueType === 'i8' || valueType === 'i4';
}

/** Whether a value that was kept or handed over is what it should be. They are put together to checks of whole records. */
export type Check = (value: unknown) => boolean;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isText: Check = (value) => typeof value === 'string';
export const isTruth: Check = (value) => typeof value === 'boolean';
export const isNull: Check = (value) => value === null;
export const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
export const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const isTextUpTo =
  (max: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= max;
export const isOneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.some((one) => one === value);
export const isListOf =
  (of: Check, { min = 1, max = Number.POSITIVE_INFINITY } = {}): Check =>
  (value) =>
    Array.isArray(value) && value.length >= min && value.length <= max && value.every(of);
/** An object with any names, at most `max` of them. */
export const isRecordOf =
  (of: Check, max: number, longestName: number): Check =>
  (value) => {
    if (!isRecord(value)) return false;
    const entries = Object.entries(value);
    return entries.length <= max && entries.every(([name, one]) => name.length <= longestName && of(one));
  };
export const hasAll =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([name, check]) => check(value[name]));
export const isEither =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
/** That, or nothing under its name. */
export const isMaybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
export const isOrNull = (check: Check): Check => isEither(isNull, check);

import { type RefObject, useEffect, useRef } from 'react';

/** The value of the newest drawing, for callbacks that live longer than one. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

import { type RefObject, useEffect, useRef } from 'react';

/** A ref to the value of the latest render, for callbacks that outlive the render in which they were made. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

/** For an effect to return: passes the result or the error of a promise on, unless the effect has ended by then. */
export function whileMounted<T>(
  promise: Promise<T>,
  onResult: (result: T) => void,
  onError: (error: unknown) => void = () => {},
): () => void {
  let hasEnded = false;
  promise.then(
    (result) => hasEnded || onResult(result),
    (error: unknown) => hasEnded || onError(error),
  );
  return () => {
    hasEnded = true;
  };
}

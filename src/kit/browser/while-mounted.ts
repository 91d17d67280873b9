/** Passes a promise's result or error on, until the returned function is called: the cleanup of an effect. */
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

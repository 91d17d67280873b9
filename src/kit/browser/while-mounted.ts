/** For an effect to return: hands on what a promise brings, or why it failed, unless the effect has ended by then. */
export function whileMounted<T>(
  promise: Promise<T>,
  onFound: (found: T) => void,
  onFailed: (error: unknown) => void = () => {},
): () => void {
  let isLeft = false;
  promise.then(
    (found) => isLeft || onFound(found),
    (error: unknown) => isLeft || onFailed(error),
  );
  return () => {
    isLeft = true;
  };
}

/** Gives the thread back: resolves in a later task, at the earliest after `ms`. */
export function pause(ms = 0): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

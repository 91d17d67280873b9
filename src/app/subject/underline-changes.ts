/** Words that change are underlined for a second: the answer below follows from them. Returns what ends that. */
export function underlineChanges(sentence: HTMLElement): () => void {
  const observer = new MutationObserver((changes) => {
    // What comes while the page opens is no change of anybody's.
    if (navigator.userActivation?.hasBeenActive === false) return;
    const elements = changes.map(({ target }) => (target instanceof Element ? target : target.parentElement));
    for (const word of new Set(elements.map((element) => element?.closest('.word:not(.word--swap)')))) {
      if (!word || typeof word.animate !== 'function') continue;
      const line = 'inset 0 -2px var(--text)';
      word.animate([{ boxShadow: line }, { boxShadow: line, offset: 0.8 }, { boxShadow: 'inset 0 -2px transparent' }], {
        duration: 1000,
      });
    }
  });
  observer.observe(sentence, { subtree: true, childList: true, characterData: true });
  return () => observer.disconnect();
}

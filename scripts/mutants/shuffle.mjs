/**
 * In an order that depends on the seed alone (Fisher and Yates; mulberry32).
 *
 * @template T
 * @param {readonly T[]} list
 * @param {number} seed
 * @returns {T[]}
 */
export function seededShuffle(list, seed) {
  const shuffled = [...list];
  let state = seed | 0;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
  }
  return shuffled;
}

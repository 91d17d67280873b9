const SHARES = { left: { of: 0.189, least: 232, most: 400 }, right: { of: 0.2225, least: 272, most: 460 } } as const;

/** Width of a side panel before anybody has dragged it: a share of the page, within what its content can use. */
export function sidePanelPx(side: 'left' | 'right'): number {
  const { of, least, most } = SHARES[side];
  return Math.round(Math.min(most, Math.max(least, innerWidth * of)));
}

// Detects layout faults of a page: clipped text, overlapping text and horizontal scrolling.

import type { Page } from '@playwright/test';

/**
 * Returns the layout faults of the visible page, one line each: text that is clipped without an ellipsis or a fading
 * edge, text that overlaps other text, and a page that scrolls horizontally. Listings of code may be wider than their box.
 */
export function unfit(page: Page, within = 'body'): Promise<readonly string[]> {
  return page.evaluate((selector) => {
    interface Words {
      readonly text: string;
      readonly parent: Element;
      readonly box: { left: number; right: number; top: number; bottom: number };
    }
    const faults = new Set<string>();
    const visible: Words[] = [];
    // Reading styles takes most of the time, and an element contains many texts: its style is cached.
    const styles = new Map<Element, ReturnType<typeof hides>>();
    const root = document.querySelector(selector) ?? document.body;
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const text = (nodes.currentNode.nodeValue ?? '').trim();
      const parent = nodes.currentNode.parentElement;
      const isShown = parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      if (!parent || !isShown || text === '' || parent.closest('option, pre')) continue;
      const range = document.createRange();
      range.selectNodeContents(nodes.currentNode);
      for (const { left, right, top, bottom } of range.getClientRects()) {
        const box = { left, right, top, bottom };
        if (!clip(box, parent, text)) continue;
        const isInView =
          box.right - box.left > 2 && box.bottom - box.top > 2 && box.top < innerHeight && box.bottom > 0;
        if (isInView) visible.push({ text, parent, box });
      }
    }
    // Pairs of texts that overlap by more than 2 × 4 px, unless an element with a background covers one of them.
    visible.forEach((a, i) => {
      for (const b of visible.slice(i + 1)) {
        const left = Math.max(a.box.left, b.box.left);
        const top = Math.max(a.box.top, b.box.top);
        const width = Math.min(a.box.right, b.box.right) - left;
        const height = Math.min(a.box.bottom, b.box.bottom) - top;
        if (a.parent === b.parent || width <= 2 || height <= 4) continue;
        if (!isCovered(document.elementsFromPoint(left + width / 2, top + height / 2), a.parent, b.parent))
          faults.add(`'${a.text.slice(0, 40)}' over '${b.text.slice(0, 40)}'`);
      }
    });
    if (document.documentElement.scrollWidth > innerWidth) faults.add('the page scrolls sideways');
    return [...faults];

    /** Returns the styles by which an element may hide its contents. */
    function hides(element: Element) {
      const { overflowX, overflowY, textOverflow, maskImage, clipPath, position } = getComputedStyle(element);
      // An ellipsis, or a mask that fades the text out at the edge.
      const marksCut = textOverflow === 'ellipsis' || maskImage !== 'none';
      return { overflowX, overflowY, marksCut, clipPath, position, edge: element.getBoundingClientRect() };
    }

    /** Shrinks the box by what the elements around it clip; returns false if nothing of it is visible. */
    function clip(box: Words['box'], parent: Element, text: string): boolean {
      const report = (clipper: string): void => void faults.add(`'${text.slice(0, 40)}' is cut by ${clipper}`);
      for (let ancestor: Element | null = parent; ancestor; ancestor = ancestor.parentElement) {
        const style = styles.get(ancestor) ?? hides(ancestor);
        styles.set(ancestor, style);
        const { overflowX, overflowY, marksCut, clipPath, position, edge } = style;
        // Visible to screen readers only.
        if (clipPath.startsWith('inset(50%')) return false;
        if (overflowX !== 'visible') {
          const isBeyond = box.right > edge.right + 1.5 || box.left < edge.left - 1.5;
          if (isBeyond && !marksCut && box.bottom > 0 && box.top < innerHeight)
            report(`${ancestor.tagName.toLowerCase()}.${ancestor.className}`);
          box.left = Math.max(box.left, edge.left);
          box.right = Math.min(box.right, edge.right);
        }
        if (overflowY !== 'visible') {
          box.top = Math.max(box.top, edge.top);
          box.bottom = Math.min(box.bottom, edge.bottom);
        }
        if (box.bottom - box.top < 2) return false;
        if (position === 'fixed') break;
      }
      if (box.right > innerWidth + 1 || box.left < -1) report('the edge of the page');
      return true;
    }

    /** Returns whether an element with a background lies above one of the two in the stack of elements at a point. */
    function isCovered(stack: readonly Element[], a: Element, b: Element): boolean {
      const [indexA, indexB] = [a, b].map((element) => stack.findIndex((layer) => element.contains(layer)));
      return stack
        .slice(0, Math.max(indexA, indexB))
        .some(
          (layer) =>
            getComputedStyle(layer).backgroundColor !== 'rgba(0, 0, 0, 0)' && !(layer.contains(a) && layer.contains(b)),
        );
    }
  }, within);
}

import { useEffect, useLayoutEffect, useRef } from "react";
import type { RefObject } from "react";

/** From this width on, Docusaurus shows its side columns, and the panel can stand beside the text. */
export const isWide = () => window.matchMedia("(min-width: 997px)").matches;

/**
 * Opens and closes a native dialog: beside the page where there is room or where it is part of it, else above it.
 *
 * @param first gets the focus
 * @param returnFocus is called at the end, unless the focus has gone elsewhere by then
 */
export function useDialog(
  isOpen: boolean,
  isInline: boolean,
  first: RefObject<HTMLElement | null>,
  returnFocus: () => void,
) {
  const dialog = useRef<HTMLDialogElement>(null);

  // Closed with the change itself: a passage that gets the focus right after must find the page free of the dialog.
  useLayoutEffect(() => {
    const element = dialog.current!;
    if (!isOpen) return undefined;
    if (isInline || isWide()) element.show();
    else element.showModal();
    first.current?.focus();
    return () => element.close();
  }, [isOpen, isInline, first]);

  // Later, since React gives the focus back to what had it before the change.
  useEffect(() => {
    const element = dialog.current!;
    if (!isOpen) return undefined;
    return () => {
      const focused = (element.getRootNode() as Document | ShadowRoot).activeElement;
      if (element.contains(focused) || document.activeElement === document.body) returnFocus();
    };
  }, [isOpen, returnFocus]);

  return dialog;
}

import { useEffect, useRef } from "react";
import type { RefObject } from "react";

/** From this width on, Docusaurus shows its side columns, and the panel can stand beside the text. */
export const isWide = () => window.matchMedia("(min-width: 997px)").matches;

/**
 * Opens and closes a native dialog: beside the page where there is room, else above it.
 *
 * @param first gets the focus
 * @param returnFocus is called at the end, unless the focus has gone elsewhere by then
 */
export function useDialog(isOpen: boolean, first: RefObject<HTMLElement | null>, returnFocus: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const element = dialog.current!;
    if (!isOpen) return undefined;
    if (isWide()) element.show();
    else element.showModal();
    first.current?.focus();
    return () => {
      const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body;
      element.close();
      if (hadFocus) returnFocus();
    };
  }, [isOpen, first, returnFocus]);

  return dialog;
}

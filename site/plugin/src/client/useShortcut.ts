import { useEffect } from "react";
import { isShortcut, isTyping } from "./shortcut";

/** Calls `onPress` when the reader presses the shortcut, unless they are typing. */
export function useShortcut(shortcut: string | false, onPress: () => void): void {
  useEffect(() => {
    if (!shortcut) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTyping(event) || !isShortcut(event, shortcut, navigator.platform)) return;
      event.preventDefault();
      onPress();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [shortcut, onPress]);
}

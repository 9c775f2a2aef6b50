type Keys = Pick<KeyboardEvent, "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

const APPLE = /Mac|iP(hone|ad|od)/;
const MODIFIERS = ["alt", "ctrl", "meta", "shift"] as const;

/** Whether the event is the shortcut, such as `alt+k`; `mod` is Command on Apple's machines, else Control. */
export function isShortcut(event: Keys, shortcut: string, platform: string): boolean {
  const parts = partsOf(shortcut, platform);
  const key = parts.at(-1)!;
  return (
    // With Option held down, Apple's keys give other letters.
    (event.key.toLowerCase() === key || (event.altKey && event.code === `Key${key.toUpperCase()}`)) &&
    MODIFIERS.every((name) => event[`${name}Key`] === parts.includes(name))
  );
}

/** The shortcut as `aria-keyshortcuts` spells it. */
export function spelt(shortcut: string, platform: string): string {
  return partsOf(shortcut, platform)
    .map((part) => (part === "ctrl" ? "Control" : part[0]!.toUpperCase() + part.slice(1)))
    .join("+");
}

function partsOf(shortcut: string, platform: string): string[] {
  return shortcut.replace("mod", APPLE.test(platform) ? "meta" : "ctrl").split("+");
}

export function isTyping(event: KeyboardEvent): boolean | undefined {
  const target = event.target as HTMLElement | null;
  return event.isComposing || target?.isContentEditable || target?.matches?.("input, textarea, select");
}

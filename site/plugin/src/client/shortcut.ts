type Keys = Pick<KeyboardEvent, "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

const APPLE = /Mac|iP(hone|ad|od)/;

/** Whether the event is the shortcut, such as `alt+k`; `mod` is Command on Apple's machines, else Control. */
export function isShortcut(event: Keys, shortcut: string, platform: string): boolean {
  const parts = shortcut.split("+");
  const key = parts.pop()!;
  const has = (name: string) => parts.includes(name);
  const apple = APPLE.test(platform);
  return (
    // With Option held down, Apple's keys give other letters.
    (event.key.toLowerCase() === key || (event.altKey && event.code === `Key${key.toUpperCase()}`)) &&
    event.altKey === has("alt") &&
    event.shiftKey === has("shift") &&
    event.ctrlKey === (has("ctrl") || (has("mod") && !apple)) &&
    event.metaKey === (has("meta") || (has("mod") && apple))
  );
}

/** The shortcut as `aria-keyshortcuts` spells it. */
export function spelt(shortcut: string, platform: string): string {
  const mod = APPLE.test(platform) ? "Meta" : "Control";
  const names: Record<string, string> = { mod, ctrl: "Control", meta: "Meta", alt: "Alt", shift: "Shift" };
  return shortcut
    .split("+")
    .map((part) => names[part] ?? part.toUpperCase())
    .join("+");
}

export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return event.isComposing || Boolean(target?.isContentEditable || target?.matches?.("input, textarea, select"));
}

// In place of Docusaurus' own, on sites without it: messages come from the plugin's locales.
let known: Record<string, string> = {};

export function setMessages(messages: Record<string, string>): void {
  known = messages;
}

export function translate({ id, message }: { id: string; message: string }, values: Record<string, string> = {}) {
  return (known[id] ?? message).replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);
}

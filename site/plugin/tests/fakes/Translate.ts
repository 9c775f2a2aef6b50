interface Message {
  id: string;
  message: string;
}

/** The message in the default locale, as Docusaurus fills it in. */
export function translate({ message }: Message, values: Record<string, string> = {}): string {
  return message.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);
}

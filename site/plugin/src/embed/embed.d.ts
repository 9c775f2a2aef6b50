declare module "*.css" {
  const text: string;
  export default text;
}

declare module "@docusaurus/Translate" {
  export function setMessages(messages: Record<string, string>): void;
}

declare module "@docusaurus/useGlobalData" {
  export function setSettings(settings: object): void;
}

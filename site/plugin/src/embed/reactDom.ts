import { render } from "preact";
import type { ComponentChild } from "preact";

export const createRoot = (place: Element) => ({
  render: (content: ComponentChild) => render(content, place),
  unmount: () => render(null, place),
});

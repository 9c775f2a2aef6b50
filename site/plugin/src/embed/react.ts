// What the panel uses of React, by Preact: the panel's components are written for both.
import { options } from "preact";

export * from "preact/hooks";

const before = options.event;
options.event = (event) => {
  before?.(event);
  // Preact hands the browser's own event on.
  (event as unknown as { nativeEvent: Event }).nativeEvent = event;
  return event;
};

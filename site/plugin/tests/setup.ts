// What jsdom lacks of a browser.
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// A slow machine is no failure.
configure({ asyncUtilTimeout: 15_000 });

HTMLDialogElement.prototype.show = HTMLDialogElement.prototype.showModal = function () {
  this.open = true;
};
HTMLDialogElement.prototype.close = function () {
  this.open = false;
};
window.matchMedia = (query) => ({ matches: query.includes("min-width") }) as MediaQueryList;
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};
Range.prototype.getBoundingClientRect = () => new DOMRect(10, 20, 100, 16);
globalThis.DOMRect ??= class {
  constructor(
    readonly left: number,
    readonly top: number,
    readonly width: number,
    readonly height: number,
  ) {}
  get bottom() {
    return this.top + this.height;
  }
} as unknown as typeof DOMRect;

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  document.body.replaceChildren();
});

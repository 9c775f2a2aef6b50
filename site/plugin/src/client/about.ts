import { selectedPassage } from "./selection";

const SETTLED = 150;
const ROOM = 48;

/** The small control below a selection in the article; hidden while nothing is selected there. */
export function aboutControl(label: string, onAsk: () => void, end: AbortSignal): HTMLButtonElement {
  const control = document.createElement("button");
  control.className = "bookbound-about";
  control.textContent = label;
  control.hidden = true;
  // The selection must outlive the press.
  control.addEventListener("pointerdown", (event) => event.preventDefault());
  control.addEventListener("click", () => {
    control.hidden = true;
    onAsk();
  });

  let timer: ReturnType<typeof setTimeout>;
  const onChange = () => {
    clearTimeout(timer);
    timer = setTimeout(() => place(control, selectedPassage(getSelection())?.box), SETTLED);
  };
  document.addEventListener("selectionchange", onChange, { signal: end });
  end.addEventListener("abort", () => clearTimeout(timer));
  return control;
}

/** On the page, below the selection or at the window's lower edge: above it, phones show their own menu. */
function place(control: HTMLElement, box: DOMRect | undefined) {
  control.hidden = !box;
  if (!box) return;
  const top = Math.min(box.bottom + 8, window.innerHeight - ROOM);
  const left = Math.min(Math.max(box.left, 8), window.innerWidth - 160);
  control.style.top = `${top + window.scrollY}px`;
  control.style.left = `${left + window.scrollX}px`;
}

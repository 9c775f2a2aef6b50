import { useEffect, useState } from "react";
import { translate } from "@docusaurus/Translate";
import { selectedPassage } from "docusaurus-plugin-bookbound/client/selection";

const SETTLED = 150;
const ROOM = 48;

/** The small control below a selection in the article. */
export default function AskAbout({ onAsk }: { onAsk: () => void }) {
  const [place, setPlace] = useState<{ top: number; left: number } | null>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const onChange = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setPlace(placeBelow(selectedPassage(getSelection())?.box)), SETTLED);
    };
    document.addEventListener("selectionchange", onChange);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("selectionchange", onChange);
    };
  }, []);

  if (!place) return null;
  return (
    <button
      type="button"
      className="bookbound-about"
      style={place}
      // The selection must outlive the press.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        setPlace(null);
        onAsk();
      }}
    >
      {translate({ id: "bookbound.ask.about", message: "Ask about this" })}
    </button>
  );
}

/** On the page, below the selection or at the window's lower edge: above it, phones show their own menu. */
function placeBelow(box: DOMRect | undefined) {
  if (!box) return null;
  const top = Math.min(box.bottom + 8, window.innerHeight - ROOM);
  const left = Math.min(Math.max(box.left, 8), window.innerWidth - 160);
  return { top: top + window.scrollY, left: left + window.scrollX };
}

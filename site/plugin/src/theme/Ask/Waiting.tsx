import { useEffect, useState } from "react";
import { panelWords } from "@theme/Ask/words";

/** Milliseconds after which an answer is mostly being checked, and after which it takes long. */
const CHECKING = 700;
const LONG = 5000;

export default function Waiting({ onStop }: { onStop(): void }) {
  const words = panelWords();
  const [said, setSaid] = useState(words.searching);
  useEffect(() => {
    const timers = [
      setTimeout(() => setSaid(words.checking), CHECKING),
      setTimeout(() => setSaid(`${words.checking} ${words.waitingLong}`), LONG),
    ];
    return () => timers.forEach(clearTimeout);
    // The words do not change while an answer is made.
  }, []);
  return (
    <div className="bookbound-waiting">
      <p>{said}</p>
      <button type="button" onClick={onStop}>
        {words.stop}
      </button>
    </div>
  );
}

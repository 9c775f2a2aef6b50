import { useEffect, useState } from "react";
import { panelWords } from "@theme/Ask/words";

const LONG = 5000;

export default function Waiting({ onStop }: { onStop(): void }) {
  const words = panelWords();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="bookbound-waiting">
      <p>
        {words.waiting} {isLong && words.waitingLong}
      </p>
      <button type="button" onClick={onStop}>
        {words.stop}
      </button>
    </div>
  );
}

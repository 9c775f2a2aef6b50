import type { MouseEvent, ReactNode } from "react";
import { useHistory } from "@docusaurus/router";
import useDocusaurusContext from "@docusaurus/useDocusaurusContext";
import { placeOf } from "docusaurus-plugin-bookbound/client/links";
import { follow } from "docusaurus-plugin-bookbound/client/follow";
import type { Source } from "docusaurus-plugin-bookbound/client/wire";

export interface Props {
  source: Source;
  /** The sentence of the answer that rests on the source. */
  sentence?: string;
  label: string;
  describedBy?: string;
  onFollow(): void;
  children: ReactNode;
}

/** A link to the passage, where it is on this site; text where it is not. */
export default function SourceLink({ source, sentence, label, describedBy, onFollow, children }: Props) {
  const history = useHistory();
  const { baseUrl } = useDocusaurusContext().siteConfig;
  const place = placeOf(source.url, location.href);
  if (place === null) return <span className="bookbound-cite">{children}</span>;

  function onClick(event: MouseEvent) {
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!plain || !place!.path.startsWith(baseUrl)) return;
    event.preventDefault();
    onFollow();
    void follow(place!, { sentence, excerpt: source.excerpt }, (path) => history.push(path));
  }

  return (
    <a
      className="bookbound-cite"
      href={place.href}
      data-source={source.id}
      aria-label={label}
      aria-describedby={describedBy}
      onClick={onClick}
    >
      {children}
    </a>
  );
}

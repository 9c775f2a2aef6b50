import { placeOf } from "./links";
import { reveal } from "./reveal";

/** Shows the passage that the address names, in a browser that does not do so by itself. */
export function revealFromAddress(): Promise<void> | undefined {
  const place = placeOf(location.href, location.href);
  return place?.passage ? reveal([place.passage], place.heading, null) : undefined;
}

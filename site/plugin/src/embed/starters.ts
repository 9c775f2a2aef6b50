/** Questions to begin with, written one a line. */
export function startersOf(text = ""): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

import type { ReactNode } from "react";
import SiteRoot from "@bookbound/site-root";
import Ask from "@theme/Ask";

export default function Root({ children }: { children: ReactNode }) {
  return (
    <SiteRoot>
      {children}
      <Ask />
    </SiteRoot>
  );
}

declare module "@theme/Ask" {
  export default function Ask(): React.JSX.Element | null;
}

declare module "@theme/Ask/*";

declare module "@bookbound/site-root" {
  import type { ReactNode } from "react";
  export default function Root(props: { children: ReactNode }): ReactNode;
}

export { AfterReply, default } from "@theme/Ask/Reply";
export { revealFromAddress } from "docusaurus-plugin-bookbound/client/arrival";

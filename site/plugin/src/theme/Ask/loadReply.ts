/** Loads what shows replies, which a panel that has been opened does without. */
export const loadReply = () => import("@theme/Ask/Reply");

export type ReplyViews = Awaited<ReturnType<typeof loadReply>>;

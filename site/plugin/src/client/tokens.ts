import type { BrowserToken } from "./wire";

const EARLY = 60_000;

/**
 * The browser token of this page, renewed a minute before its end; `open` gives a new one, null where the service
 * takes questions without. Callers at the same time share one call.
 */
export class Tokens {
  private token: BrowserToken | null | undefined;
  private flight: Promise<BrowserToken | null> | null = null;

  constructor(
    private readonly open: () => Promise<BrowserToken | null>,
    private readonly now: () => number = Date.now,
  ) {}

  async current(): Promise<string | null> {
    if (this.token === undefined || (this.token && this.isOld(this.token))) {
      this.flight ??= this.open().finally(() => (this.flight = null));
      this.token = await this.flight;
    }
    return this.token?.token ?? null;
  }

  /** The service did not take this token (or none): the next call asks for another. */
  refuse(token: string | null): void {
    if ((this.token?.token ?? null) === token) this.token = undefined;
  }

  private isOld(token: BrowserToken): boolean {
    return this.now() > Date.parse(token.expires_at) - EARLY;
  }
}

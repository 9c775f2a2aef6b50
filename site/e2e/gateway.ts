// Stands where a stage's API gateway stands: hands each call on to the real API, and for one call at a time
// does what gateways and networks do: answers by itself, is slow, loses a header, changes what comes back.
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

export interface Turn {
  /** Answers in the API's place. */
  reply?: Reply;
  /** Holds the call back until this is settled. */
  hold?: Promise<unknown>;
  /** Hands the call on without its Authorization header. */
  withoutToken?: true;
  /** Changes the API's answer. */
  forge?: (body: any) => unknown;
}

export interface Call {
  path: string;
  status: number;
  token: string | undefined;
  body: any;
}

export class Gateway {
  calls: Call[] = [];
  private turns = new Map<string, Turn[]>();
  private server: Server;

  constructor(
    private api: string,
    private readonly origin: string,
  ) {
    this.server = createServer((incoming, outgoing) => void this.handle(incoming, outgoing));
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => this.server.once("error", reject).listen(port, "127.0.0.1", resolve));
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Hands calls on to that API from now on. */
  standBefore(api: string): void {
    this.api = api;
  }

  /** What happens to the next call of that path, after those that are planned already. */
  next(path: string, turn: Turn): void {
    this.turns.set(path, [...(this.turns.get(path) ?? []), turn]);
  }

  reset(): void {
    this.calls = [];
    this.turns.clear();
  }

  private async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    // A call that outlives its test is not among those of the next one.
    const { calls } = this;
    const path = incoming.url!;
    const sent = await bodyOf(incoming);
    const turn = (incoming.method === "POST" && this.turns.get(path)?.shift()) || {};
    await turn.hold;
    const reply = turn.reply ? this.own(turn.reply) : await this.handOn(incoming, sent, turn);
    if (incoming.method === "POST") {
      calls.push({ path, status: reply.status, token: incoming.headers.authorization, body: JSON.parse(sent) });
    }
    outgoing.writeHead(reply.status, reply.headers).end(reply.content);
  }

  private own({ status, headers, body }: Reply) {
    const cors = { "Access-Control-Allow-Origin": this.origin, "Access-Control-Expose-Headers": "Retry-After" };
    return {
      status,
      headers: { "Content-Type": "application/problem+json", ...cors, ...headers },
      content: JSON.stringify(body),
    };
  }

  private handOn(incoming: IncomingMessage, sent: string, { withoutToken, forge }: Turn) {
    const { authorization, host, ...headers } = incoming.headers;
    if (authorization && !withoutToken) Object.assign(headers, { authorization });
    return new Promise<{ status: number; headers: Record<string, any>; content: string }>((resolve, reject) => {
      const upstream = request(this.api + incoming.url, { method: incoming.method, headers }, async (response) => {
        const body = await bodyOf(response);
        const content = forge ? JSON.stringify(forge(JSON.parse(body))) : body;
        const { "content-length": _, "transfer-encoding": __, ...kept } = response.headers;
        resolve({ status: response.statusCode!, headers: kept, content });
      });
      upstream.once("error", reject).end(sent);
    });
  }
}

/** A problem as the API words it. */
export function problem(status: number, title: string, detail: string, headers: Record<string, string> = {}): Turn {
  return { reply: { status, headers, body: { type: "about:blank", title, status, detail, instance: "e2e" } } };
}

async function bodyOf(stream: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

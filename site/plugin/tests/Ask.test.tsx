import { act, fireEvent, render, renderHook, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import Ask from "@theme/Ask";
import { visited } from "./fakes/router";
import { useAsk } from "../src/client/useAsk";
import type { Block } from "../src/client/wire";
import { settings } from "./fakes/useGlobalData";
import { Service, answer, json, never, refusal } from "./fakes/service";

const PAGE = `
  <article>
    <h2 id="what">What Is a Node?</h2><p>A <strong>node</strong> does one job. It can fail alone.</p>
    <h3>Domain IDs</h3><p>They keep robots apart.</p>
  </article><div id="app"></div>`;

let service: Service;

beforeEach(() => {
  service = new Service().on("/v1/chat", () => json(answer()));
  document.body.innerHTML = PAGE;
  visited.length = 0;
});

async function openPanel() {
  render(<Ask />, { container: document.querySelector<HTMLElement>("#app")! });
  fireEvent.click(screen.getByRole("button", { name: "Ask the book" }));
  return await screen.findByRole("dialog", { name: "Ask the book" });
}

const box = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Your question" });

function ask(question: string) {
  fireEvent.input(box(), { target: { value: question } });
  fireEvent.keyDown(box(), { key: "Enter" });
}

function select(selector: string) {
  getSelection()!.selectAllChildren(document.querySelector(selector)!);
}

const click = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const says = (text: string) => screen.findByText(text, { exact: false });

describe("the panel", () => {
  test("opens by the button with the focus in the question box", async () => {
    await openPanel();
    expect(document.activeElement).toBe(box());
  });

  test("opens by the shortcut, but not while the reader types", async () => {
    render(
      <>
        <input aria-label="search" />
        <Ask />
      </>,
    );
    fireEvent.keyDown(screen.getByLabelText("search"), { key: "k", altKey: true });
    expect(screen.queryByRole("dialog")).toBeNull();
    fireEvent.keyDown(document.body, { key: "k", altKey: true });
    expect(await screen.findByRole("dialog")).toBeTruthy();
  });

  test("closes by Escape and gives the focus back", async () => {
    fireEvent.keyDown(await openPanel(), { key: "Escape" });
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Ask the book" }));
  });

  test("suggests questions from the headings of the page", async () => {
    await openPanel();
    click("Explain Domain IDs");
    await says("Is this answer right?");
    expect(service.to("/v1/chat")[0]!.body.question).toBe("Explain Domain IDs");
  });

  test("offers the site's own questions after those about the page", async () => {
    Object.assign(settings, { starters: ["What is ROS 2?"] });
    const panel = await openPanel();
    const offered = within(panel).getByRole("region", { name: "Questions to begin with" });
    const names = within(offered).getAllByRole("button").map((button) => button.textContent);
    expect(names).toEqual(["What Is a Node?", "Explain Domain IDs", "What is ROS 2?"]);
    Object.assign(settings, { starters: undefined });
  });

  test("says what is remembered, links the privacy notice and shows the session", async () => {
    await openPanel();
    ask("What is a node?");
    await says("5b0f3a52-0000-4000-8000-000000000000");
    expect(screen.getByText(/none is remembered/)).toBeTruthy();
    expect(screen.getByRole<HTMLAnchorElement>("link", { name: "Privacy notice" }).pathname).toBe("/privacy");
  });

  test("counts characters as the API does and does not send too many", async () => {
    await openPanel();
    ask("e\u0301".repeat(1001));
    expect(screen.getByText(/1001 of 1000 characters/)).toBeTruthy();
    expect(box().getAttribute("aria-invalid")).toBe("true");
    expect(service.calls).toEqual([]);
  });

  test("does not take the Enter of an input method for a question", async () => {
    await openPanel();
    fireEvent.input(box(), { target: { value: "何" } });
    fireEvent.keyDown(box(), { key: "Enter", isComposing: true });
    expect(service.calls).toEqual([]);
  });

  test("says what is happening, and can be stopped with the question kept", async () => {
    service.on("/v1/chat", never);
    await openPanel();
    ask("What is a node?");
    await says("Searching the book");
    click("Stop");
    expect(screen.queryByText(/Searching the book/)).toBeNull();
    expect(box().value).toBe("What is a node?");
  });

  test("keeps the questions of the session on this device until they are cleared", async () => {
    await openPanel();
    ask("What is a node?");
    await says("Earlier questions (1)");
    expect(service.to("/v1/chat")[0]!.body).not.toHaveProperty("session_id");
    ask("And a topic?");
    await says("Earlier questions (2)");
    expect(service.to("/v1/chat")[1]!.body.session_id).toBe("5b0f3a52-0000-4000-8000-000000000000");
    expect(sessionStorage.length).toBe(1);
    click("Clear questions");
    expect(screen.queryByText(/Earlier questions/)).toBeNull();
    expect(sessionStorage.length).toBe(0);
  });
});

describe("an answer", () => {
  test("carries its citations, whose excerpt shows on focus and goes by Escape alone", async () => {
    await openPanel();
    ask("What is a node?");
    const citation = await screen.findByRole("link", { name: "Source 1: Nodes, page 5" });
    fireEvent.focus(citation);
    expect(screen.getByRole("tooltip").textContent).toContain("It can fail alone.");
    fireEvent.keyDown(citation, { key: "Escape" });
    expect(screen.queryByRole("tooltip")).toBeNull();
    expect(screen.getByRole("dialog")).toBeTruthy();
  });

  test("leads to the passage: the section is opened, the sentence marked and focused", async () => {
    await openPanel();
    ask("What is a node?");
    document.querySelector("article")!.replaceWith(document.querySelector("article")!.cloneNode(true));
    history.replaceState(null, "", "/docs/nodes");
    fireEvent.click(await screen.findByRole("link", { name: "Source 1: Nodes, page 5" }));
    expect(visited).toEqual(["/docs/nodes#what"]);
    await waitFor(() => {
      const marks = [...document.querySelectorAll("mark")].map((mark) => mark.textContent).join("");
      expect(marks).toBe("A node does one job");
    });
    expect(document.activeElement!.textContent).toBe("A node does one job. It can fail alone.");
  });

  test("says how sure it is, what is missing and that weak support is weak", async () => {
    service.on("/v1/chat", () =>
      json(
        answer({
          confidence_level: "low",
          low_confidence: true,
          notice: "From one page only.",
          unavailable: ["its price"],
        }),
      ),
    );
    await openPanel();
    ask("What is a node, and what does it cost?");
    await says("Low confidence");
    expect(screen.getByText("From one page only.")).toBeTruthy();
    expect(screen.getByText("its price")).toBeTruthy();
  });

  test("shows pictures of the site beside their sentence, of any other only the description", async () => {
    const images = [
      { url: "/img/node.svg", alt: "a node" },
      { url: "https://evil.test/track.gif", alt: "elsewhere" },
    ];
    service.on("/v1/chat", () => json(answer({ sentences: [{ text: "See it.", source_ids: [], images }] })));
    await openPanel();
    ask("What is a node?");
    await says("See it.");
    expect(screen.getAllByRole<HTMLImageElement>("img").map((image) => image.alt)).toEqual(["a node"]);
    expect(screen.getByText("elsewhere")).toBeTruthy();
  });

  test("never becomes markup or a link away, whatever it says", async () => {
    const payload = `<img src=x onerror="alert(1)"><script>alert(2)</script>[x](javascript:alert(3))`;
    const hostile = answer({
      sentences: [{ text: payload, source_ids: ["S1", "S2"], images: [{ url: "javascript:alert(4)", alt: payload }] }],
    });
    const [source] = hostile.sources;
    hostile.sources = [
      { ...source!, url: "javascript:alert(5)", section: payload, excerpt: payload },
      { ...source!, id: "S2", url: "https://evil.test/docs/nodes" },
    ];
    hostile.notice = payload;
    service.on("/v1/chat", () => json(hostile));
    const panel = await openPanel();
    ask(payload);
    await screen.findAllByText(/onerror/);
    expect(panel.querySelectorAll("img, script, iframe, object")).toHaveLength(0);
    const links = within(panel).getAllByRole<HTMLAnchorElement>("link");
    expect(links.map((link) => link.textContent)).toEqual(["Privacy notice"]);
  });

  test("is copied as text with its sources", async () => {
    let copied = "";
    Object.assign(navigator, { clipboard: { writeText: async (text: string) => (copied = text) } });
    await openPanel();
    ask("What is a node?");
    await says("Is this answer right?");
    click("Copy");
    await says("Copied.");
    expect(copied).toMatch(
      /^What is a node\?\n\nA node does one job\. \[1\]\n\n\[1\] Nodes, 5: http:\/\/localhost.*#what/,
    );
  });
});

describe("feedback", () => {
  test("reaches the API, with a remark where the answer was wrong", async () => {
    const given = answer();
    service.on("/v1/chat", () => json(given)).on("/v1/feedback", () => json({ status: "accepted" }, 202));
    await openPanel();
    ask("What is a node?");
    await says("Is this answer right?");
    click("Incorrect");
    fireEvent.input(screen.getByLabelText("What is wrong? (optional)"), { target: { value: " too short " } });
    click("Send");
    await says("Thank you");
    expect(service.to("/v1/feedback")[0]!.body).toEqual({
      answer_id: given.answer_id,
      verdict: "incorrect",
      comment: "too short",
    });
  });

  test("that was not taken can be given again", async () => {
    service.on("/v1/feedback", () => json({}, 503));
    await openPanel();
    ask("What is a node?");
    await says("Is this answer right?");
    click("Correct");
    await says("Your feedback was not taken");
    service.on("/v1/feedback", () => json({}, 202));
    click("Correct");
    await says("Thank you");
  });
});

describe("a refusal", () => {
  test("is an outcome with advice, not an error", async () => {
    service.on("/v1/chat", () => json(refusal("insufficient_context")));
    await openPanel();
    ask("How tall is it?");
    await says("I can only answer from the book.");
    expect(screen.queryByRole("alert")).toBeNull();
    click("Rephrase the question");
    expect(box().value).toBe("How tall is it?");
    expect(document.activeElement).toBe(box());
  });

  test.each(["empty_retrieval", "insufficient_context", "out_of_scope", "selected_text_insufficient"] as const)(
    "for %s names its reason in words",
    async (reason) => {
      service.on("/v1/chat", () => json(refusal(reason)));
      const panel = await openPanel();
      ask("How tall is it?");
      await says("I can only answer from the book.");
      const headings = within(panel).getAllByRole("heading", { level: 3 });
      expect(headings[0]!.textContent).toMatch(/book|passage/);
    },
  );

  test("of a passage offers the full book, which asks again without it", async () => {
    service.on("/v1/chat", ({ body }) => json(body.selected_text ? refusal("selected_text_insufficient") : answer()));
    select("article p");
    await openPanel();
    ask("What is a node?");
    await says("The passage doesn’t answer this");
    click("Search the full book");
    await says("Is this answer right?");
    expect(service.to("/v1/chat").map(({ body }) => "selected_text" in body)).toEqual([true, false]);
  });

  test("of a passage offers another one: the panel closes and says how", async () => {
    service.on("/v1/chat", () => json(refusal("selected_text_insufficient")));
    select("article p");
    await openPanel();
    ask("What is a node?");
    await says("The passage doesn’t answer this");
    click("Select another passage");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByText(/Select text on the page/)).toBeTruthy();
  });
});

describe("a selection", () => {
  test("in the article brings up a control that asks about it; the passage can be removed", async () => {
    render(<Ask />);
    select("article p");
    act(() => void document.dispatchEvent(new Event("selectionchange")));
    fireEvent.click(await screen.findByRole("button", { name: "Ask about this" }));
    await screen.findByRole("dialog");
    expect(screen.getByText("A node does one job. It can fail alone.", { selector: "q" })).toBeTruthy();
    click("Remove the passage");
    ask("What is a node?");
    await says("Is this answer right?");
    expect(service.to("/v1/chat")[0]!.body).not.toHaveProperty("selected_text");
  });

  test("is the context of the question", async () => {
    select("article p");
    await openPanel();
    ask("What can fail?");
    await says("Is this answer right?");
    expect(service.to("/v1/chat")[0]!.body.selected_text).toBe("A node does one job. It can fail alone.");
  });
});

describe("an error", () => {
  test.each([
    [429, "A little too fast"],
    [503, "The book is busy"],
    [504, "That took too long"],
    [403, "This page may not ask the book"],
    [404, "The service does not have this book"],
    [422, "This cannot be asked like this"],
    [500, "Something went wrong"],
  ])("%i has its own words", async (status, words) => {
    service.on("/v1/chat", () => json({ detail: "of the service" }, status));
    await openPanel();
    ask("What is a node?");
    expect(await says(words)).toBeTruthy();
  });

  test("429 counts the wait down before it can be asked again", async () => {
    service.on("/v1/chat", () => json({}, 429, { "Retry-After": "1" }));
    await openPanel();
    ask("What is a node?");
    expect((await screen.findByRole<HTMLButtonElement>("button", { name: "Ask again in 1 s" })).disabled).toBe(true);
    service.on("/v1/chat", () => json(answer()));
    fireEvent.click(await screen.findByRole("button", { name: "Ask again" }));
    await says("Is this answer right?");
  });

  test("of the connection tells being offline from a service that is out of reach", async () => {
    service.on("/v1/chat", () => Promise.reject(new TypeError("Failed to fetch")));
    await openPanel();
    ask("What is a node?");
    await says("The book cannot be reached");
    Object.defineProperty(navigator, "onLine", { value: false, configurable: true });
    click("Ask again");
    await says("You are offline");
    Object.defineProperty(navigator, "onLine", { value: true, configurable: true });
  });

  test("that keeps the views of a reply from loading is one of the connection, and the next question tries again", async () => {
    const views = {};
    const tries = [() => Promise.reject(new TypeError("Failed to fetch")), () => Promise.resolve(views)];
    const { result } = renderHook(() => useAsk(settings, () => tries.shift()!()));
    await act(() => result.current.ask("What is a node?", null));
    expect(result.current.turn!.outcome).toMatchObject({ kind: "problem", problem: { kind: "unreachable" } });
    await act(() => result.current.ask("What is a node?", null));
    expect(result.current.turn!.outcome).toMatchObject({ kind: "response", views });
  });
});

describe("a conversation", () => {
  test("sends the question before, as the book read it, and shows how a follow-up was read", async () => {
    const replies = [answer(), answer({ read_as: "What is the node's weight?" }), answer()];
    service.on("/v1/chat", () => json(replies.shift()));
    await openPanel();
    for (const question of ["What is a node?", "and its weight?", "why?"]) {
      ask(question);
      await says("Is this answer right?");
    }
    const sent = service.to("/v1/chat").map(({ body }) => body.previous ?? null);
    expect(sent).toEqual([null, { question: "What is a node?" }, { question: "What is the node's weight?" }]);
  });

  test("shows the completed question under the one that was typed", async () => {
    service.on("/v1/chat", () => json(answer({ read_as: "What is the node's weight?" })));
    await openPanel();
    ask("and its weight?");
    expect(await says("Read as: What is the node's weight?")).toBeTruthy();
  });

  test("says what is happening while an answer is made", async () => {
    service.on("/v1/chat", never);
    await openPanel();
    ask("What is a node?");
    expect(await says("Searching the book…")).toBeTruthy();
    expect(await screen.findByText("Checking every sentence", { exact: false }, { timeout: 2000 })).toBeTruthy();
  });
});

describe("the form of an answer", () => {
  const item = (text: string, cells: string[] = []) => ({ text, cells, source_ids: ["S1"], images: [] });
  const block = { ordered: false, start: null, header: [] };

  async function shown(blocks: Block[]) {
    service.on("/v1/chat", () => json(answer({ blocks })));
    const dialog = await openPanel();
    ask("What is a node?");
    await says("Is this answer right?");
    return dialog;
  }

  test("keeps steps, items, rows and code, each with its source", async () => {
    const dialog = await shown([
      { ...block, kind: "paragraph", items: [item("You need:")] },
      { ...block, kind: "list", items: [item("a robot")] },
      { ...block, kind: "list", ordered: true, start: 2, items: [item("Press the button")] },
      { ...block, kind: "table", header: ["Part", "Price"], items: [item("Lidar | 5", ["Lidar", "5"])] },
      { ...block, kind: "code", items: [item("colcon build")] },
    ]);
    expect(dialog.querySelector(".bookbound-answer ul li")!.textContent).toContain("a robot");
    expect(dialog.querySelector<HTMLOListElement>(".bookbound-answer ol")!.start).toBe(2);
    expect(within(dialog).getAllByRole("columnheader").map((cell) => cell.textContent)).toEqual(["Part", "Price"]);
    expect(within(dialog).getByRole("region", { name: "Table of the book" }).tabIndex).toBe(0);
    expect(dialog.querySelector("pre")!.textContent).toBe("colcon build");
    expect(dialog.querySelectorAll(".bookbound-answer .bookbound-citation")).toHaveLength(5);
  });

  test("copies code alone", async () => {
    const copied: string[] = [];
    Object.defineProperty(navigator, "clipboard", {
      configurable: true,
      value: { writeText: (text: string) => Promise.resolve(void copied.push(text)) },
    });
    await shown([{ ...block, kind: "code", items: [item("colcon build")] }]);
    click("Copy code");
    await says("Copied.");
    expect(copied).toEqual(["colcon build"]);
  });

  test("shows what the book does talk about where it gives no answer, and links this site alone", async () => {
    const related = [
      { section: "Costs", page: 4, url: "/docs/costs#costs" },
      { section: "Elsewhere", page: 5, url: "https://elsewhere.example/x" },
      { section: "Script", page: 6, url: "javascript:alert(1)" },
    ];
    service.on("/v1/chat", () => json(refusal("insufficient_context", { related })));
    const dialog = await openPanel();
    ask("What does it weigh?");
    await says("The book does talk about");
    const places = dialog.querySelector<HTMLElement>(".bookbound-related")!;
    expect(within(places).getAllByRole("listitem")).toHaveLength(3);
    expect(within(places).getAllByRole<HTMLAnchorElement>("link").map((link) => link.pathname)).toEqual(["/docs/costs"]);
  });
});

import { useState } from "react";
import { pictureUrl } from "docusaurus-plugin-bookbound/client/links";
import type { Block, ChatResponse, Item, Picture, Source } from "docusaurus-plugin-bookbound/client/wire";
import Citation from "@theme/Ask/Citation";
import { answerWords } from "@theme/Ask/replyWords";

export interface Props {
  response: ChatResponse;
  onFollow(): void;
}

interface Cited {
  sources: Map<string, Source>;
  onFollow(): void;
}

/** An answer in the form that its sentences have in the book; of an older service all is paragraphs. */
export default function Blocks({ response, onFollow }: Props) {
  const sources = new Map(response.sources.map((source) => [source.id, source]));
  const blocks = response.blocks?.length ? response.blocks : [paragraph(response)];
  return blocks.map((block, index) => <BlockView key={index} block={block} sources={sources} onFollow={onFollow} />);
}

function paragraph({ sentences }: ChatResponse): Block {
  const items = sentences.map((sentence) => ({ ...sentence, cells: [] }));
  return { kind: "paragraph", ordered: false, start: null, header: [], items };
}

function BlockView({ block, ...cited }: { block: Block } & Cited) {
  if (block.kind === "table") return <TableView block={block} {...cited} />;
  if (block.kind === "list") return <ListView block={block} {...cited} />;
  return block.items.map((item, index) => (
    <div key={index} className="bookbound-sentence">
      {block.kind === "code" ? <Code item={item} {...cited} /> : <Text item={item} {...cited} />}
      <Pictures item={item} />
    </div>
  ));
}

function Text({ item, ...cited }: { item: Item } & Cited) {
  return (
    <p dir="auto">
      {item.text}
      <Citations item={item} {...cited} />
    </p>
  );
}

function ListView({ block, ...cited }: { block: Block } & Cited) {
  const items = block.items.map((item, index) => (
    <li key={index} className="bookbound-sentence" dir="auto">
      {item.text}
      <Citations item={item} {...cited} />
      <Pictures item={item} />
    </li>
  ));
  return block.ordered ? <ol start={block.start ?? 1}>{items}</ol> : <ul>{items}</ul>;
}

function TableView({ block, ...cited }: { block: Block } & Cited) {
  return (
    // Reachable by keyboard, so that a wide table can be scrolled without a pointer.
    <div className="bookbound-table" role="region" aria-label={answerWords().table} tabIndex={0}>
      <table>
        {block.header.length > 0 && (
          <thead>
            <tr>
              {block.header.map((name, index) => (
                <th key={index} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {block.items.map((item, row) => (
            <tr key={row}>
              {item.cells.map((cell, index) => (
                <td key={index} dir="auto">
                  {cell}
                  {/* Where a row begins, a table that is wider than the panel shows it unscrolled. */}
                  {index === 0 && <Citations item={item} {...cited} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Code({ item, ...cited }: { item: Item } & Cited) {
  const words = answerWords();
  const [state, setState] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(item.text).then(
      () => setState(words.copied),
      () => setState(words.notCopied),
    );
  return (
    <>
      <pre tabIndex={0}>
        <code>{item.text}</code>
      </pre>
      <p className="bookbound-actions">
        <button type="button" onClick={copy}>
          {words.copyCode}
        </button>
        <span role="status">{state}</span>
        <Citations item={item} {...cited} />
      </p>
    </>
  );
}

function Citations({ item, sources, onFollow }: { item: Item } & Cited) {
  const cited = item.source_ids.flatMap((id) => sources.get(id) ?? []);
  return cited.map((source) => (
    <Citation key={source.id} source={source} sentence={item.text} onFollow={onFollow} />
  ));
}

function Pictures({ item }: { item: Item }) {
  return item.images.map((picture) => <PictureView key={picture.url} picture={picture} />);
}

function PictureView({ picture }: { picture: Picture }) {
  const url = pictureUrl(picture.url, location.href);
  return (
    <figure>
      {url && <img src={url} alt={picture.alt} loading="lazy" />}
      {!url && <figcaption>{picture.alt}</figcaption>}
    </figure>
  );
}

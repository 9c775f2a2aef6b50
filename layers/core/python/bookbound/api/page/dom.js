// Small tools for building the page. Text goes in as text nodes only: what a book or a reader wrote is data.

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") node.addEventListener("click", value);
    else if (value !== null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

// An address that may be linked to (http, https, or relative to this site), or null.
export function safeUrl(address) {
  try {
    const url = new URL(address, document.baseURI);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  } catch {
    return null;
  }
}

export function link(address, text, name) {
  const url = safeUrl(address);
  if (url === null) return element("span", {}, text);
  return element("a", { href: url, target: "_blank", rel: "noopener", "aria-label": name ?? null }, text);
}

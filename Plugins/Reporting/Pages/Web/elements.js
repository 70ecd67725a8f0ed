// Elements of pages. What players and trackers sent becomes text nodes and attribute values only, never markup.

const svgNamespace = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") Object.entries(value).forEach(([key, text]) => node.style.setProperty(key, text));
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

/** Makes an element of HTML; children are nodes, or texts, or lists of these. */
export function element(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Makes an element of SVG. */
export function shape(tag, attributes, ...children) {
  return fill(document.createElementNS(svgNamespace, tag), attributes, children);
}

/** Makes a link to another page of this document. */
export function pageLink(path, ...children) {
  return element("a", { href: "#" + path }, ...children);
}

/** The path of a page whose last steps may hold any text. */
export function pagePath(...steps) {
  return "/" + steps.map((step) => encodeURIComponent(String(step))).join("/");
}

/** What stands where there is nothing to show. */
export function emptyState(title, text) {
  return element("div", { class: "empty" }, element("p", { class: "empty-title" }, title), element("p", {}, text));
}

/** The class of a column's cells: numbers stand at the right, and a wide column is left out on narrow screens. */
export function columnClass({ number, wide }) {
  return [number && "number", wide && "wide"].filter(Boolean).join(" ") || undefined;
}

/**
 * Makes a table. A column is {title, text(row) or node(row), number?, wide?}.
 */
export function table(caption, columns, rows, { hiddenCaption = false } = {}) {
  const head = columns.map((column) => element("th", { scope: "col", class: columnClass(column) }, column.title));
  const body = rows.map((row) =>
    element("tr", {}, columns.map((column, place) => {
      const content = column.node ? column.node(row) : column.text(row);
      return place === 0
        ? element("th", { scope: "row", class: columnClass(column) }, content)
        : element("td", { class: columnClass(column) }, content);
    })));
  return element("div", { class: "table-frame", tabindex: 0, role: "region", "aria-label": caption },
    element("table", {}, element("caption", { class: hiddenCaption ? "unseen" : undefined }, caption),
      element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)));
}

/** Makes a button that copies a text. */
export function copyButton(text, label) {
  const button = element("button", { type: "button", class: "quiet", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select the text to copy it";
    }
  } }, label);
  return button;
}

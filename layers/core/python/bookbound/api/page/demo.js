// The passage that is pasted below the panel is what the panel asks about.
const panel = document.querySelector("bookbound-panel");
const about = document.querySelector("#about");
const passage = document.querySelector("#passage");

// Not at each letter: the panel takes the focus to its question box when it gets a passage.
const tell = () => (panel.passage = passage.value.trim());
passage.addEventListener("change", tell);
passage.addEventListener("paste", () => setTimeout(tell));
panel.addEventListener("passage", () => (passage.value = panel.passage ?? ""));
panel.addEventListener("pickpassage", () => {
  about.open = true;
  passage.focus();
});

// The passage that is pasted below the panel is what the panel asks about.
const panel = document.querySelector("bookbound-panel");
const about = document.querySelector("#about");
const passage = document.querySelector("#passage");

passage.addEventListener("input", () => (panel.passage = passage.value.trim()));
panel.addEventListener("passage", () => (passage.value = panel.passage ?? ""));
panel.addEventListener("pickpassage", () => {
  about.open = true;
  passage.focus();
});

// The author's page: asks the server for work, and shows what comes of it. The server escapes all that it sends.
"use strict";

const WAIT = 400;
const SAYS = {
  answered_in: ["Place: page.md#heading", "Questions, one per line"],
  alias: ["The book says", "Readers say"],
  glossary: ["Readers write", "The book says"],
  answer: ["Question to answer"],
  refuse: ["Question to refuse"],
};

async function send(path, body) {
  const response = await fetch(`/author/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const told = await response.json();
  if (!response.ok) throw new Error(told.error ?? "That cannot be used; look at what is written in the fields.");
  return told;
}

/** Begin a job, tell in `place` how far it is, and put its result there. */
async function work(place, path, body) {
  place.setAttribute("aria-busy", "true");
  try {
    const { id } = await send(path, body);
    for (;;) {
      const job = await (await fetch(`/author/jobs/${id}`)).json();
      if (job.error) throw new Error(job.error);
      if (job.html !== null) {
        place.innerHTML = job.html;
        return;
      }
      tell(place, job.of ? `${job.step}: ${job.done} of ${job.of}` : `${job.step} …`, job);
      await new Promise((resolve) => setTimeout(resolve, WAIT));
    }
  } catch (error) {
    tell(place, error.message);
    place.firstChild.className = "warning";
  } finally {
    place.setAttribute("aria-busy", "false");
  }
}

function tell(place, text, job = {}) {
  const line = document.createElement("p");
  line.className = "quiet";
  line.textContent = text;
  if (job.of) {
    const bar = document.createElement("progress");
    bar.max = job.of;
    bar.value = job.done;
    bar.setAttribute("aria-label", job.step);
    line.append(" ", bar);
  }
  place.replaceChildren(line);
}

/** Name the fields of a mend by its kind. */
function named(form) {
  const says = SAYS[form.elements.kind.value];
  form.querySelector("[data-says=first]").textContent = says[0];
  form.querySelector("[data-second]").hidden = says.length === 1;
  form.elements.second.required = says.length > 1;
  if (says.length > 1) form.querySelector("[data-says=second]").textContent = says[1];
}

async function proposals() {
  for (const gap of document.querySelectorAll(".gap")) {
    const place = gap.querySelector(".proposal");
    await work(place, "proposals", { questions: JSON.parse(gap.dataset.questions) });
    place.querySelectorAll("form.mend").forEach(named);
  }
}

document.addEventListener("change", (event) => {
  const form = event.target.closest("form.mend");
  if (form && event.target.name === "kind") named(form);
});

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form.mend");
  if (!form) return;
  event.preventDefault();
  const place = form.parentElement.querySelector(".trial");
  const { kind, first, second } = form.elements;
  const button = form.querySelector("button");
  button.disabled = true;
  const body = { kind: kind.value, first: first.value, second: SAYS[kind.value].length > 1 ? second.value : "" };
  await work(place, "trials", body);
  button.disabled = false;
  place.querySelector("h4")?.focus();
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button.save");
  if (!button) return;
  const place = button.parentElement;
  const { kind, first, second, digest } = button.dataset;
  try {
    place.outerHTML = (await send("saves", { kind, first, second, digest })).html;
  } catch (error) {
    const line = document.createElement("p");
    line.className = "warning";
    line.textContent = error.message;
    place.replaceChildren(line);
  }
});

const gaps = document.getElementById("gaps");
if (gaps) work(gaps, "gaps", { days: document.body.dataset.days }).then(proposals);

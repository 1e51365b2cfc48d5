"use strict";

// Refreshes a page that shows running work, and asks before a cancel. Without it everything works, by hand.

const PERIOD_MS = 2000;

async function refresh() {
  const main = document.querySelector("main");
  const reading = document.hidden || String(getSelection()) !== "" || main.contains(document.activeElement);
  if (!main.hasAttribute("data-live") || reading) {
    return;
  }
  const response = await fetch(location.href, { credentials: "same-origin" });
  if (!response.ok) {
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.querySelector("main");
  if (fresh && fresh.innerHTML !== main.innerHTML) {
    main.replaceWith(document.adoptNode(fresh));
  }
}

async function keepFresh() {
  try {
    await refresh();
  } catch {
    // The product is being restarted: the next round tries again.
  }
  setTimeout(keepFresh, PERIOD_MS);
}

document.addEventListener("submit", (event) => {
  if (event.target.action.endsWith("/cancel") && !confirm("Cancel this execution? It ends where it stands.")) {
    event.preventDefault();
  }
});

setTimeout(keepFresh, PERIOD_MS);

// Keeps the page fresh: asks every 5 seconds whether something changed, and only
// then fetches the page and puts its new parts in place. Without this script the
// page works too; it is then as old as its loading.
"use strict";
(() => {
  const live = document.getElementById("live");
  const say = (id) => { live.textContent = id ? live.dataset[id] : ""; };
  const busy = () => {
    const el = document.activeElement;
    if (el && ["INPUT", "SELECT", "TEXTAREA"].includes(el.tagName)) return true;
    return [...document.querySelectorAll("input[type=text]")].some((i) => i.value !== i.defaultValue);
  };
  const refresh = async () => {
    if (document.hidden || busy()) return;
    const main = document.getElementById("cards");
    try {
      const pulse = await fetch(main.dataset.pulse, { cache: "no-store" });
      if (!pulse.ok) throw new Error(pulse.status);
      say("");
      if ((await pulse.json()).stamp === main.dataset.stamp) return;
      const page = await fetch(location.href, { cache: "no-store" });
      if (!page.ok || busy()) return;
      const next = new DOMParser().parseFromString(await page.text(), "text/html");
      for (const id of ["head", "cards"]) {
        document.getElementById(id).replaceWith(document.adoptNode(next.getElementById(id)));
      }
    } catch {
      say("lost");
    }
  };
  setInterval(refresh, 5000);
})();

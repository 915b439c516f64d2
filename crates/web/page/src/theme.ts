// Light or dark: as the system has it, until the person chooses.

import { h } from "./dom";

const KEY = "ludens.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

const current = (): string => localStorage.getItem(KEY) ?? (dark.matches ? "dark" : "light");

function apply(button: HTMLButtonElement): void {
  const theme = current();
  document.documentElement.dataset.theme = theme;
  button.textContent = theme === "dark" ? "Light" : "Dark";
  button.setAttribute("aria-label", `Switch to ${theme === "dark" ? "light" : "dark"} colours`);
}

export function themeButton(): HTMLButtonElement {
  const button = h("button", {
    type: "button",
    class: "theme",
    onclick: () => {
      localStorage.setItem(KEY, current() === "dark" ? "light" : "dark");
      apply(button);
    },
  });
  dark.addEventListener("change", () => apply(button));
  apply(button);
  return button;
}

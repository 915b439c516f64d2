// Addresses inside the page.

export function go(path: string): void {
  location.hash = `#${path}`;
}

/** `#/play/abc` → ["play", "abc"]. */
export function here(): string[] {
  return location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
}

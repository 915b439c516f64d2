// An arrow from one place of a board to another.

import { s } from "../dom";

export interface Place {
  x: number;
  y: number;
}

/** The arrow ends a little before the middle of its goal, so that what stands there can be seen. */
export function arrow(from: Place, to: Place, order: number, width = 12): SVGGElement {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const head = width * 2.2;
  const end = { x: to.x - ux * width, y: to.y - uy * width };
  const neck = { x: end.x - ux * head, y: end.y - uy * head };
  const wing = (side: number): string => `${neck.x - side * uy * head * 0.62} ${neck.y + side * ux * head * 0.62}`;
  return s(
    "g",
    { class: `arrow ${order % 2 === 0 ? "own" : "other"}` },
    s("line", { x1: from.x, y1: from.y, x2: neck.x, y2: neck.y, "stroke-width": width }),
    s("path", { d: `M${end.x} ${end.y}L${wing(1)}L${wing(-1)}z` }),
  );
}

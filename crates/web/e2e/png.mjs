// Pictures of a page need few colours: a PNG with a palette is a third of the size and looks the same.

import zlib from "node:zlib";

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

function chunks(file) {
  const found = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    found.push({ type: file.toString("latin1", at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return found;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(zlib.crc32(body), body.length + 4);
  return framed;
}

/** The pixels as 24-bit numbers; the five filters of the format undone. */
function pixels(raw, width, height, bytes) {
  const stride = width * bytes;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x >= bytes ? rows[y * stride + x - bytes] : 0;
      const up = y > 0 ? rows[(y - 1) * stride + x] : 0;
      const corner = y > 0 && x >= bytes ? rows[(y - 1) * stride + x - bytes] : 0;
      const near = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
      const paeth = near[0] <= near[1] && near[0] <= near[2] ? left : near[1] <= near[2] ? up : corner;
      const guess = [0, left, up, (left + up) >> 1, paeth][filter];
      rows[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return Uint32Array.from({ length: width * height }, (_, index) => rows.readUIntBE(index * bytes, 3));
}

const parts = (color) => [color >> 16, (color >> 8) & 255, color & 255];

/** The commonest colours, and of the rest the commonest of each of the fullest cells of a coarse grid. */
function palette(counts) {
  const exact = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 128).map(([color]) => color);
  const cells = new Map();
  for (const [color, count] of counts) {
    const key = parts(color).map((part) => part >> 4).join();
    const cell = cells.get(key) ?? { total: 0, best: 0, color };
    cell.total += count;
    if (count > cell.best) Object.assign(cell, { best: count, color });
    cells.set(key, cell);
  }
  const coarse = [...cells.values()].sort((a, b) => b.total - a.total).map((cell) => cell.color);
  return [...new Set([...exact, ...coarse])].slice(0, 256);
}

/** The same picture with at most 256 colours. */
export function smaller(file) {
  const all = chunks(file);
  const head = all.find(({ type }) => type === "IHDR").data;
  const [width, height, depth, kind] = [head.readUInt32BE(0), head.readUInt32BE(4), head[8], head[9]];
  if (depth !== 8 || (kind !== 2 && kind !== 6)) return file;
  const raw = zlib.inflateSync(Buffer.concat(all.filter(({ type }) => type === "IDAT").map(({ data }) => data)));
  const colors = pixels(raw, width, height, kind === 6 ? 4 : 3);
  const counts = new Map();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const chosen = counts.size <= 256 ? [...counts.keys()] : palette(counts);
  const distance = (a, b) => parts(a).reduce((sum, part, index) => sum + (part - parts(b)[index]) ** 2, 0);
  const nearest = new Map([...counts.keys()].map((color) => [color, chosen.reduce((best, other, index) => (distance(color, other) < distance(color, chosen[best]) ? index : best), 0)]));
  const lines = Buffer.alloc((width + 1) * height);
  colors.forEach((color, index) => (lines[Math.floor(index / width) * (width + 1) + 1 + (index % width)] = nearest.get(color)));
  const header = Buffer.from(head);
  header[9] = 3;
  const table = Buffer.from(chosen.flatMap(parts));
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), chunk("PLTE", table), chunk("IDAT", zlib.deflateSync(lines, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

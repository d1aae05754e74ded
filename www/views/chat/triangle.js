/** The staircase of many turns: the area is what is sent, the dark ends are what is new. */

const SVG = "http://www.w3.org/2000/svg";

/** @param {{ input: number, computed: number }[]} rows @param {string} words */
export function triangle(rows, words) {
  const most = Math.max(1, ...rows.map((row) => row.input));
  const svg = document.createElementNS(SVG, "svg");
  // Tokens across, turns down; stretched to the width of the card.
  svg.setAttribute("viewBox", `0 0 ${most} ${rows.length}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", words);
  const gap = rows.length <= 50 ? 0.12 : 0;
  /** @param {string} name @param {(row: { input: number, computed: number }) => [from: number, to: number]} ends */
  const draw = (name, ends) => {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", name);
    path.setAttribute("d", rows.map((row, y) => {
      const [from, to] = ends(row);
      return `M${from} ${y}H${to}V${y + 1 - gap}H${from}Z`;
    }).join(""));
    svg.append(path);
  };
  draw("again", ({ input, computed }) => [0, input - computed]);
  draw("fresh", ({ input, computed }) => [input - computed, input]);
  return svg;
}

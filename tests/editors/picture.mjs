// SPDX-License-Identifier: Apache-2.0
// A terminal's screen as an SVG: each cell with the text and the colours that the terminal shows.
const kCell = { width: 8.4, height: 18 };
const kGround = '#16181c';
const kInk = '#ececec';
// As xterm has the first 16.
const kBasic = [
  '#000000', '#cd3131', '#0dbc79', '#e5e510', '#2472c8', '#bc3fbc', '#11a8cd', '#e5e5e5',
  '#666666', '#f14c4c', '#23d18b', '#f5f543', '#3b8eea', '#d670d6', '#29b8db', '#ffffff',
];

const hex = (...parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

function indexed(index) {
  if (index < 16) return kBasic[index];
  if (index >= 232) return hex(...Array(3).fill(8 + (index - 232) * 10));
  const level = (part) => (part === 0 ? 0 : 55 + part * 40);
  const at = index - 16;
  return hex(level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6));
}

// One "\x1b[…m": what it changes of the style.
function apply(style, codes) {
  for (let i = 0; i < codes.length; ++i) {
    const code = codes[i];
    const colour = () => {
      const [kind, ...rest] = codes.slice(i + 1);
      i += kind === 2 ? 4 : 2;
      return kind === 2 ? hex(...rest.slice(0, 3)) : indexed(rest[0]);
    };
    if (code === 0) for (const key of Object.keys(style)) delete style[key];
    else if (code === 1) style.bold = true;
    else if (code === 3) style.italic = true;
    else if (code === 7) style.reverse = true;
    else if (code === 22) delete style.bold;
    else if (code === 23) delete style.italic;
    else if (code === 27) delete style.reverse;
    else if (code === 38) style.ink = colour();
    else if (code === 39) delete style.ink;
    else if (code === 48) style.ground = colour();
    else if (code === 49) delete style.ground;
    else if (code === 58) colour();  // of underlines
    else if (code >= 30 && code <= 37) style.ink = kBasic[code - 30];
    else if (code >= 90 && code <= 97) style.ink = kBasic[code - 82];
    else if (code >= 40 && code <= 47) style.ground = kBasic[code - 40];
    else if (code >= 100 && code <= 107) style.ground = kBasic[code - 92];
  }
}

// Pieces of a row that have one style: [column, text, style].
function piecesOf(row, style, columns) {
  const pieces = [];
  let column = 0;
  for (const part of row.split(/(\x1b\[[\d;:]*m)/)) {
    const codes = /^\x1b\[([\d;:]*)m$/.exec(part);
    if (codes !== null) apply(style, codes[1].split(/[;:]/).map(Number));
    else {
      const text = [...part].slice(0, Math.max(0, columns - column)).join('');
      if (text !== '') pieces.push([column, text, { ...style }]);
      column += [...part].length;
    }
  }
  return pieces;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

// `screen`: what `tmux capture-pane -e -p` prints. Cut off at these rows and columns.
export function svgOf(screen, { rows, columns, label }) {
  const [width, height] = [columns * kCell.width, rows * kCell.height];
  const grounds = [];
  const texts = [];
  const style = {};
  screen.split('\n').slice(0, rows).forEach((row, y) => {
    for (const [column, text, { ink = kInk, ground = kGround, bold, italic, reverse }] of piecesOf(row, style, columns)) {
      const [front, back] = reverse ? [ground, ink] : [ink, ground];
      const [x, wide] = [column * kCell.width, [...text].length * kCell.width];
      if (back !== kGround) grounds.push(`<rect x="${x.toFixed(1)}" y="${y * kCell.height}" width="${wide.toFixed(1)}" height="${kCell.height}" fill="${back}"/>`);
      const font = `${bold ? ' font-weight="bold"' : ''}${italic ? ' font-style="italic"' : ''}`;
      // Blanks at the ends, and several in a row, have no width of their own.
      for (const { 0: words, index } of text.matchAll(/\S+( \S+)*/g)) {
        const [left, length] = [x + [...text.slice(0, index)].length * kCell.width, [...words].length * kCell.width];
        texts.push(`<text x="${left.toFixed(1)}" y="${y * kCell.height + 13}" textLength="${length.toFixed(1)}" fill="${front}"${font}>${escaped(words)}</text>`);
      }
    }
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escaped(label)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" fill="${kGround}"/>
${grounds.join('\n')}
<g font-family="ui-monospace,Cascadia Mono,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="14">
${texts.join('\n')}
</g>
</svg>
`;
}

/** The style of the report: light and dark themes, one column on small screens, and a print style. */
export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --back: #fff; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de; --panel: #f6f8fa; --link: #0550ae;
  --fail: #a40e26; --pass: #116329; --manual: #7d4e00; --muted: #57606a;
  --fail-back: #ffebe9; --pass-back: #e6f6ea; --manual-back: #fff4d6; --muted-back: #eef1f4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #0d1117; --text: #e6edf3; --quiet: #9da7b1; --line: #3d444d; --panel: #161b22; --link: #79b8ff;
    --fail: #ff9ea6; --pass: #7ee2a0; --manual: #f0c060; --muted: #b1bac4;
    --fail-back: #3c1418; --pass-back: #10301b; --manual-back: #362704; --muted-back: #262c34;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-behavior: smooth; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 84rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1rem; font-weight: 600; margin: 0; }
a { color: var(--link); overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; font-size: .85em; color: var(--quiet); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
#findings:focus { outline: none; }
.skip, .visually-hidden { position: absolute; left: -100rem; }
.skip:focus { position: static; }
header { padding-bottom: 1.25rem; border-bottom: 1px solid var(--line); }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 0; }
.facts dt { color: var(--quiet); font-size: .8rem; }
.facts dd { margin: 0; overflow-wrap: anywhere; }

.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; margin: 0; padding: 0; list-style: none; }
.card { border: 1px solid var(--line); border-top-width: .3rem; border-radius: .4rem; background: var(--panel); padding: .6rem .9rem; }
.card strong { display: block; font-size: 1.75rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.card small { color: var(--quiet); font-size: .85rem; white-space: nowrap; }
.card.fail { border-top-color: var(--fail); } .card.pass { border-top-color: var(--pass); }
.card.manual { border-top-color: var(--manual); } .card.muted { border-top-color: var(--muted); }
.bar { display: block; margin-top: .75rem; border-radius: .3rem; background: var(--panel); }
.bar .fail { fill: var(--fail); } .bar .pass { fill: var(--pass); }
.bar .manual { fill: var(--manual); } .bar .muted { fill: var(--muted); }

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: baseline; }
thead th { font-size: .8rem; font-weight: 600; color: var(--quiet); vertical-align: bottom; }
tfoot th, tfoot td { font-weight: 600; border-bottom: 0; border-top: 2px solid var(--line); }
.about-table { margin: 0 0 .25rem; color: var(--quiet); font-size: .9rem; }
.about-table strong { color: var(--text); }
.scroll + .about-table { margin-top: 1.5rem; }
.numbers th[scope="row"] { font-weight: 500; min-width: 8rem; }
.numbers.compliance th[scope="row"] { min-width: 13rem; }
.numbers td, .numbers thead th:not(:first-child) { width: 5.5rem; min-width: 4.25rem; text-align: right; font-variant-numeric: tabular-nums; }
.numbers td.result, .numbers thead th.result { width: 7rem; min-width: 5.5rem; text-align: left; }
.services th:nth-child(7), .services td:nth-child(7) { border-left: 1px solid var(--line); }
.zero { color: var(--quiet); }

.filter { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-align: inherit; }
td > .filter { min-width: 1.75rem; min-height: 1.5rem; padding: 0 .35rem; margin-right: -.35rem; text-align: right; color: var(--link); border-radius: .3rem; text-decoration: underline; text-underline-offset: .2em; }
.card > .filter { display: block; width: 100%; margin: -.6rem -.9rem; padding: .6rem .9rem; width: calc(100% + 1.8rem); }
.card:has(.filter:hover) { background: var(--muted-back); }
td > .filter:hover { background: var(--muted-back); }
.filter[aria-pressed="true"] { outline: 2px solid var(--link); outline-offset: 0; border-radius: .3rem; }

#filters { margin: 2.25rem 0 1rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--panel); }
#filters p { margin: .35rem 0; }
#filters fieldset { position: relative; margin: .35rem 0; padding: 0 0 0 8rem; border: 0; min-width: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
#filters legend, #filters label[for] { width: 7rem; padding: 0; font-weight: 600; }
#filters legend { position: absolute; left: 0; top: 0; }
.field { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; }
.field input, .field select { font: inherit; flex: 1 1 12rem; min-width: 0; max-width: 32rem; padding: .3rem .5rem; color: inherit; background: var(--back);
  border: 1px solid var(--quiet); border-radius: .3rem; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
button { font: inherit; }
.actions button { padding: .25rem .75rem; color: inherit; background: var(--back); border: 1px solid var(--quiet); border-radius: .3rem; cursor: pointer; }
.actions button:hover { background: var(--muted-back); }
output { color: var(--quiet); }

.badge { display: inline-block; padding: .05rem .55rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .8rem; line-height: 1.4; font-weight: 500; white-space: nowrap; }
.badge.fail, .badge.critical, .badge.high { color: var(--fail); background: var(--fail-back); }
.badge.pass { color: var(--pass); background: var(--pass-back); }
.badge.manual, .badge.medium { color: var(--manual); background: var(--manual-back); }
.badge.muted, .badge.low, .badge.informational, .badge.clear { color: var(--muted); background: var(--muted-back); }

.check { margin: .5rem 0; border: 1px solid var(--line); border-radius: .4rem; }
.check > summary { display: grid; grid-template: "chevron severity title totals" "chevron severity about totals" / .75rem 7.25rem minmax(0, 1fr) auto;
  gap: 0 .75rem; align-items: baseline; padding: .6rem 1rem; cursor: pointer; list-style: none; border-radius: .4rem; }
.check > summary::-webkit-details-marker { display: none; }
.check > summary::before { content: "\\25B8"; grid-area: chevron; color: var(--quiet); }
.check[open] > summary::before { content: "\\25BE"; }
.check > summary:hover { background: var(--panel); }
.check[open] > summary { border-bottom: 1px solid var(--line); border-radius: .4rem .4rem 0 0; background: var(--panel); }
.check > summary h3 { grid-area: title; }
.check .severity { grid-area: severity; justify-self: start; }
.about { grid-area: about; color: var(--quiet); font-size: .85rem; }
.totals { grid-area: totals; display: grid; gap: .25rem; }
.columns-1 .totals { grid-template-columns: 6rem; } .columns-2 .totals { grid-template-columns: repeat(2, 6rem); }
.columns-3 .totals { grid-template-columns: repeat(3, 6rem); } .columns-4 .totals { grid-template-columns: repeat(4, 6rem); }
.totals .badge { grid-row: 1; text-align: center; font-variant-numeric: tabular-nums; }
.totals .column-1 { grid-column: 1; } .totals .column-2 { grid-column: 2; }
.totals .column-3 { grid-column: 3; } .totals .column-4 { grid-column: 4; }
.about strong { color: var(--fail); font-weight: 600; }
.limit { display: flex; gap: .6rem; align-items: baseline; margin: .75rem 1rem; }
.findings { table-layout: fixed; }
.findings td { overflow-wrap: anywhere; }
.findings th:first-child, .findings td:first-child { width: 9.75rem; padding-left: 1rem; }
.findings th:nth-child(2), .findings td:nth-child(2) { width: 30%; }
.findings th:last-child, .findings td:last-child { padding-right: 1rem; }
.texts { margin: 0; padding: .75rem 1rem 1rem; font-size: .95rem; }
.texts > div { display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); gap: 0 .75rem; padding: .3rem 0; }
.texts dt { color: var(--quiet); font-weight: 600; }
.texts dd { margin: 0; max-width: 60rem; white-space: pre-line; overflow-wrap: anywhere; }
.texts ul, .texts ol { margin: 0; padding-left: 1.25rem; white-space: normal; }

@media (max-width: 64rem) {
  .check > summary { grid-template: "chevron title title" "chevron about about" "chevron severity totals" / .75rem auto minmax(0, 1fr); row-gap: .15rem; }
  .totals { display: flex; flex-wrap: wrap; }
}
@media (max-width: 40rem) {
  .findings, .findings tbody, .findings tr, .findings td { display: block; width: auto; }
  .findings thead { position: absolute; left: -100rem; }
  .findings tr { padding: .6rem 1rem; border-bottom: 1px solid var(--line); }
  .findings td, .findings td:first-child, .findings td:nth-child(2), .findings td:last-child { width: auto; padding: .15rem 0; border: 0; }
  .texts > div { grid-template-columns: minmax(0, 1fr); }
  .facts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .5rem 1rem; }
  .counts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .card.all { grid-column: 1 / -1; }
  .numbers.compliance th[scope="row"] { min-width: 9.5rem; }
  .numbers.compliance td, .numbers.compliance thead th:not(:first-child) { min-width: 3.5rem; padding: .4rem .35rem; }
  .numbers.compliance td.result, .numbers.compliance thead th.result { min-width: 4.75rem; }
  #filters legend, #filters label[for] { position: static; width: 100%; }
  #filters fieldset { padding: 0; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  :root { --back: #fff; --text: #000; --quiet: #444; --line: #999; --panel: #fff; --link: #000;
    --fail: #a40e26; --pass: #116329; --manual: #7d4e00; --muted: #444;
    --fail-back: #fff; --pass-back: #fff; --manual-back: #fff; --muted-back: #fff; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  #filters, .skip { display: none; }
  tr, .card { break-inside: avoid; }
  .check > summary { break-after: avoid; }
  .scroll { overflow: visible; }
}
`;

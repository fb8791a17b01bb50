/** The style of the report: the reader's light or dark colours, one column on small screens, ink-saving on paper. */
export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --back: #fff; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de; --panel: #f6f8fa; --link: #0550ae;
  --fail: #a40e26; --pass: #116329; --manual: #7d4e00; --muted: #57606a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #0d1117; --text: #e6edf3; --quiet: #9da7b1; --line: #3d444d; --panel: #161b22; --link: #79b8ff;
    --fail: #ff8a94; --pass: #6fdd8b; --manual: #f0c060; --muted: #9da7b1;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0 auto; padding: 1rem; max-width: 84rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 0; display: inline; }
a { color: var(--link); }
code { font-family: ui-monospace, monospace; font-size: .85em; color: var(--quiet); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 0; }
.facts dt { color: var(--quiet); font-size: .85rem; }
.facts dd { margin: 0; }
.counts { display: flex; flex-wrap: wrap; gap: .75rem; padding: 0; list-style: none; }
.card { padding: .5rem 1rem; border: 1px solid var(--line); border-left-width: .4rem; border-radius: .4rem; background: var(--panel); }
.card strong { font-size: 1.4rem; }
.card small { color: var(--quiet); }
.card.fail { border-left-color: var(--fail); } .card.pass { border-left-color: var(--pass); }
.card.manual { border-left-color: var(--manual); } .card.muted { border-left-color: var(--muted); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--quiet); padding: .5rem 0; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.services td, .services thead th:not(:first-child) { text-align: right; font-variant-numeric: tabular-nums; }
.services tfoot { font-weight: bold; }
.zero { color: var(--quiet); }
#filters { margin: 2rem 0 1rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--panel); }
#filters p { margin: .25rem 0; }
#filters fieldset { margin: .25rem 0; padding: .25rem 0; border: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
#filters legend { float: left; min-width: 5rem; font-weight: 600; padding: 0; margin-right: 1rem; }
#filters label[for] { font-weight: 600; display: inline-block; min-width: 5rem; margin-right: 1rem; }
input[type="search"] { font: inherit; width: min(32rem, 100%); padding: .3rem .5rem; color: inherit; background: var(--back);
  border: 1px solid var(--quiet); border-radius: .3rem; }
button { font: inherit; padding: .25rem .75rem; color: inherit; background: var(--back); border: 1px solid var(--quiet); border-radius: .3rem; cursor: pointer; }
output { color: var(--quiet); margin-left: .5rem; }
.check { margin: .5rem 0; border: 1px solid var(--line); border-radius: .4rem; padding: 0 1rem; }
.check > summary { padding: .6rem 0; cursor: pointer; }
.about { color: var(--quiet); font-size: .85rem; }
.badge { display: inline-block; padding: 0 .5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .8rem; white-space: nowrap; }
.badge.fail, .badge.critical, .badge.high { color: var(--fail); }
.badge.pass { color: var(--pass); }
.badge.manual, .badge.medium { color: var(--manual); }
.badge.muted, .badge.low, .badge.informational { color: var(--muted); }
.texts dt { font-weight: 600; margin-top: .5rem; }
.texts dd { margin: 0; white-space: pre-line; }
.texts ul { margin: 0; padding-left: 1.25rem; }
.findings { margin: .5rem 0 1rem; }
.findings td:nth-child(2) { min-width: 14rem; max-width: 30rem; }
.findings td:last-child { min-width: 18rem; }
@media print {
  :root { --back: #fff; --text: #000; --quiet: #444; --line: #999; --panel: #fff; --link: #000;
    --fail: #a40e26; --pass: #116329; --manual: #7d4e00; --muted: #444; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  #filters, .skip { display: none; }
  tr, .card { break-inside: avoid; }
  .check > summary { break-after: avoid; }
  .scroll { overflow: visible; }
}
`;

/**
 * The script of the report, for browsers. It only shows and hides what the page already has, and writes no HTML.
 */
export const REPORT_SCRIPT = `'use strict';
(() => {
  const form = document.getElementById('filters');
  const search = document.getElementById('search');
  const shown = document.getElementById('shown');
  const none = document.getElementById('none');
  const sections = [...document.querySelectorAll('details.check')].map((element) => {
    const about = element.querySelector('summary').textContent + ' ' + element.querySelector('dl').textContent;
    return {
      element,
      severity: element.dataset.severity,
      service: element.dataset.service,
      rows: [...element.querySelectorAll('tbody tr')].map((row) => ({
        row,
        status: row.dataset.status,
        text: (about + ' ' + row.textContent).toLowerCase(),
      })),
    };
  });
  const total = sections.reduce((sum, section) => sum + section.rows.length, 0);
  const chosen = (name) =>
    new Set([...form.querySelectorAll('input[name="' + name + '"]:checked')].map((box) => box.value));

  const filter = () => {
    const statuses = chosen('status');
    const severities = chosen('severity');
    const services = chosen('service');
    const words = search.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    let count = 0;
    for (const section of sections) {
      const wanted = severities.has(section.severity) && services.has(section.service);
      let visible = 0;
      for (const { row, status, text } of section.rows) {
        const show = wanted && statuses.has(status) && words.every((word) => text.includes(word));
        if (row.hidden === show) row.hidden = !show;
        if (show) visible += 1;
      }
      section.element.hidden = visible === 0;
      count += visible;
    }
    shown.textContent = count + ' of ' + total + ' findings shown';
    none.hidden = count > 0 || total === 0;
  };

  let waiting;
  const filterSoon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 120);
  };
  const openAll = (open) => {
    for (const { element } of sections) if (!element.hidden) element.open = open;
  };
  search.addEventListener('input', filterSoon);
  form.addEventListener('change', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  // The fields have their first values again only after this event.
  form.addEventListener('reset', () => setTimeout(filter, 0));
  document.getElementById('expand').addEventListener('click', () => openAll(true));
  document.getElementById('collapse').addEventListener('click', () => openAll(false));

  // On paper nothing can be opened: what is shown is printed open, and closed again afterwards.
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = sections.filter(({ element }) => !element.open && !element.hidden);
    for (const { element } of closed) element.open = true;
  });
  addEventListener('afterprint', () => {
    for (const { element } of closed) element.open = false;
  });

  form.hidden = false;
  // A page that comes back from the history has the choices it was left with.
  filter();
})();
`;

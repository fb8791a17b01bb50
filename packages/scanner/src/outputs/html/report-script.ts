/**
 * The browser script of the report. It shows and hides existing elements, turns counts into filter buttons, and never
 * generates HTML from text.
 */
export const REPORT_SCRIPT = `'use strict';
(() => {
  const form = document.getElementById('filters');
  const search = document.getElementById('search');
  const requirement = document.getElementById('requirement');
  const shown = document.getElementById('shown');
  const none = document.getElementById('none');
  const heading = document.getElementById('findings');
  const words = (text) => text.split(/\\s+/).filter((word) => word !== '');
  const sections = [...document.querySelectorAll('details.check')].map((element) => {
    const about = element.querySelector('summary').textContent + ' ' + element.querySelector('dl').textContent;
    return {
      element,
      severity: element.dataset.severity,
      service: element.dataset.service,
      requirements: new Set(words(element.dataset.requirements)),
      failing: new Set(words(element.dataset.failing)),
      rows: [...element.querySelectorAll('tbody tr')].map((row) => ({
        row,
        status: row.dataset.status,
        text: (about + ' ' + row.textContent).toLowerCase(),
      })),
    };
  });
  const total = sections.reduce((sum, section) => sum + section.rows.length, 0);
  const boxes = (name) => [...form.querySelectorAll('input[name="' + name + '"]')];
  const chosen = (name) => new Set(boxes(name).filter((box) => box.checked).map((box) => box.value));

  const filter = () => {
    const statuses = chosen('status');
    const severities = chosen('severity');
    const services = chosen('service');
    const searchWords = words(search.value.toLowerCase());
    const required = requirement === null ? '' : requirement.value;
    const framework = required.split('-')[0];
    let count = 0;
    for (const section of sections) {
      const isIncluded =
        severities.has(section.severity) &&
        services.has(section.service) &&
        (required === '' || section.requirements.has(required));
      // In a framework, a check with a limit that is not strict enough always fails.
      const fails = required !== '' && section.failing.has(framework);
      let visible = 0;
      for (const { row, status, text } of section.rows) {
        const result = fails && status !== 'MUTED' ? 'FAIL' : status;
        const show = isIncluded && statuses.has(result) && searchWords.every((word) => text.includes(word));
        if (row.hidden === show) row.hidden = !show;
        if (show) visible += 1;
      }
      section.element.hidden = visible === 0;
      count += visible;
    }
    shown.textContent = count + ' of ' + total + ' findings shown';
    none.hidden = count > 0 || total === 0;
  };

  // Each count is a button that shows the counted findings, or all findings if it is pressed again.
  const buttons = [];
  const press = (pressed) => {
    for (const button of buttons) button.setAttribute('aria-pressed', String(button === pressed));
  };
  const apply = (values) => {
    for (const name of ['status', 'severity', 'service']) {
      for (const box of boxes(name)) box.checked = !values.has(name) || values.get(name) === box.value;
    }
    search.value = '';
    if (requirement !== null) requirement.value = values.get('requirement') ?? '';
    filter();
  };
  for (const element of document.querySelectorAll('[data-filter]')) {
    const values = new URLSearchParams(element.dataset.filter);
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'filter';
    if (element.tagName === 'TD') {
      const row = element.parentElement.querySelector('th').textContent;
      const column = element.closest('table').querySelector('thead tr').children[element.cellIndex].textContent;
      button.setAttribute('aria-label', element.textContent + ' ' + column + ', ' + row + ': show findings');
    }
    button.append(...element.childNodes);
    button.addEventListener('click', () => {
      const again = button.getAttribute('aria-pressed') === 'true';
      apply(again ? new URLSearchParams() : values);
      press(again ? undefined : button);
      if (!again) heading.focus();
    });
    buttons.push(button);
    element.append(button);
  }
  press(undefined);

  let waiting;
  const filterSoon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 120);
  };
  const openAll = (open) => {
    for (const { element } of sections) if (!element.hidden) element.open = open;
  };
  search.addEventListener('input', filterSoon);
  form.addEventListener('input', () => press(undefined));
  form.addEventListener('change', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  // The fields are reset only after this event.
  form.addEventListener('reset', () => {
    press(undefined);
    setTimeout(filter, 0);
  });
  document.getElementById('expand').addEventListener('click', () => openAll(true));
  document.getElementById('collapse').addEventListener('click', () => openAll(false));

  // Expand the visible checks for printing, and collapse them again afterwards.
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = sections.filter(({ element }) => !element.open && !element.hidden);
    for (const { element } of closed) element.open = true;
  });
  addEventListener('afterprint', () => {
    for (const { element } of closed) element.open = false;
  });

  form.hidden = false;
  // The browser may have restored the filters from the history.
  filter();
})();
`;

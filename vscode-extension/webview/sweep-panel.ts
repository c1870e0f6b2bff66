/** A sweep: what came out for which values, as a picture and as a table that grows while it runs. */
import { button, element, extensionHost, withCode } from './elements.js';
import { showContent } from './frame.js';
import type { SweepContent } from './messages.js';
import { headerOf, reductionChoice } from './shared-parts.js';
import { describeSweep, drawSweep } from './sweep-chart.js';
import { toSvgText } from './shapes.js';
import { cellOf, columnsFor, sweepTitle, type SweepColumn } from './sweep-words.js';

const root = document.getElementById('root') as HTMLElement;

showContent<SweepContent>(content => {
    const focused = document.activeElement?.id;
    root.replaceChildren(...partsOf(content));
    if (focused !== undefined && focused !== '') {
        document.getElementById(focused)?.focus({ preventScroll: true });
    }
});

function partsOf(content: SweepContent): readonly Node[] {
    const { state, rows, reduction } = content;
    const last = rows.at(-1)?.document.verdict ?? 'undecided';
    const mark = state.kind === 'running' ? 'running' : state.kind === 'failed' ? 'violated' : last;
    const chart = rows.length < 2 ? undefined : drawSweep(rows, content.range.name, reduction !== 'none');
    return [
        headerOf({ ...content, mark, title: sweepTitle(content), aside: asideOf(content) }),
        ...(state.kind === 'failed' ? [element('p', { role: 'alert' }, ...withCode(state.message))] : []),
        ...(state.kind === 'running'
            ? [button('Cancel', { id: 'cancel' }, () => extensionHost.postMessage({ kind: 'cancel' }))]
            : []),
        ...(chart === undefined ? [] : [framed(chart)]),
        ...(rows.length === 0 ? [] : [tableOf(content), exportsOf(content, chart)]),
    ];
}

function framed(chart: SVGSVGElement): Node {
    const frame = element('div', { class: 'sweep-chart', tabindex: '0' });
    frame.append(chart);
    return frame;
}

/** The values, how they are explored, and the ways to change both. */
function asideOf({ range, reduction, continuesAfterViolation, state }: SweepContent): Node {
    const again = (changed: Partial<Pick<SweepContent, 'reduction' | 'continuesAfterViolation'>>): void =>
        extensionHost.postMessage({ kind: 'again', reduction, continuesAfterViolation, ...changed });
    const goesOn = element('input', { type: 'checkbox', id: 'goes-on' });
    goesOn.checked = continuesAfterViolation;
    goesOn.addEventListener('change', () => again({ continuesAfterViolation: goesOn.checked }));
    return element(
        'div',
        { class: 'aside' },
        element('span', { id: 'range' }, `${range.name} = ${range.first} .. ${range.last}`),
        button('change', { class: 'link', id: 'change' }, () => extensionHost.postMessage({ kind: 'change' })),
        reductionChoice(reduction, chosen => again({ reduction: chosen })),
        element('label', {}, goesOn, ' go on after a violation'),
        state.kind === 'running' ? undefined : button('Explore', { class: 'link', id: 'again' }, () => again({})),
    );
}

function tableOf({ rows, range, reduction }: SweepContent): Node {
    const columns = columnsFor(reduction);
    const classOf = (column: SweepColumn): string => column.replace(' ', '-');
    const lines = rows.map(row =>
        element(
            'tr',
            row.document.verdict === 'violated' ? { class: 'violated' } : {},
            element(
                'th',
                { scope: 'row' },
                button(
                    String(row.value),
                    { class: 'link', id: `value-${row.value}`, title: `Open ${range.name} = ${row.value}` },
                    () => extensionHost.postMessage({ kind: 'open', value: row.value }),
                ),
            ),
            ...columns.map(column => element('td', { class: classOf(column) }, cellOf(row, column))),
        ),
    );
    const heads = columns.map(column => element('th', { scope: 'col', class: classOf(column) }, column));
    return element(
        'table',
        { class: 'sweep' },
        element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, range.name), ...heads)),
        element('tbody', {}, ...lines),
    );
}

function exportsOf({ rows, range, fileName, reduction }: SweepContent, chart: SVGSVGElement | undefined): Node {
    const name = fileName.replace(/\.orbit$/, '');
    const columns = columnsFor(reduction);
    const toCsv = (): string => {
        const lines = rows.map(row => [row.value, ...columns.map(column => cellOf(row, column).replaceAll(',', ''))]);
        return [[range.name, ...columns], ...lines].map(line => `${line.join(',')}\n`).join('');
    };
    const save = (extension: string, text: () => string): Node =>
        button(extension.toUpperCase(), { class: 'link', id: `save-${extension}` }, () =>
            extensionHost.postMessage({ kind: 'save', name: `${name}-sweep.${extension}`, text: text() }),
        );
    return element(
        'p',
        { class: 'exports muted' },
        'Export ',
        save('csv', toCsv),
        ' ',
        chart === undefined ? undefined : save('svg', () => toSvgText(chart)),
        element('span', { class: 'spoken', role: 'status' }, describeSweep(rows, range.name)),
    );
}

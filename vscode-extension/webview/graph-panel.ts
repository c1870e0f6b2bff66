/**
 * The state graph of a small model up to symmetry, or the part of a large one around a state: a picture by depth, and
 * beside it a table of the same orbits.
 */
import { formatPlainValue } from '../../engine/describe/words.js';
import { isProblemsDocument } from '../../language-server/document-schema.js';
import type { TraceEntryDocument } from '../../language-server/document-schema.js';
import type { GraphDocument, UnfoldResult } from '../../language-server/protocol.js';
import { button, element, extensionHost, showWithin, withCode } from './elements.js';
import { showContent } from './frame.js';
import { drawGraph } from './graph-picture.js';
import { tableOf } from './graph-table.js';
import {
    figuresOf,
    hiddenSteps,
    pathOf,
    readingOf,
    spokenOf,
    graphSubject,
    titleOfGraph,
    graphToCsv,
    wayTo,
} from './graph-words.js';
import type { GraphContent } from './messages.js';
import { toSvgText } from './shapes.js';
import { headerOf, lineLink, problemList } from './shared-parts.js';
import { NO_VALUE_MARK, otherValuesOf, subtitleOf } from './wording.js';

const root = document.getElementById('root') as HTMLElement;
/** The graph that is shown, and the chosen orbit, which stays when only the unfolded states arrive. */
let shown: GraphDocument | undefined;
let chosen = 0;

showContent<GraphContent>(content => {
    const { document: graph } = content;
    if (isProblemsDocument(graph)) {
        root.replaceChildren(
            headerOf({ ...content, mark: 'violated', title: 'The model has errors' }),
            problemList(graph.problems),
        );
        return;
    }
    if (JSON.stringify(shown) !== JSON.stringify(graph)) {
        shown = graph;
        chosen = [...pathOf(graph)].at(-1) ?? 0;
    }
    root.replaceChildren(...partsOf(content, graph));
});

function partsOf(content: GraphContent, graph: GraphDocument): readonly (Node | string)[] {
    const path = pathOf(graph);
    const picture = drawGraph(graph, path, choose);
    const canvas = canvasPart(key => choose(picture.neighbor(chosen, key) ?? chosen));
    canvas.append(picture.svg);
    const { table, rows } = tablePart(graph, path, choose);
    const details = element('div', { class: 'details' });
    const spoken = element('p', { class: 'spoken', 'aria-live': 'polite' });
    const actions = element('span', {});

    function choose(orbit: number): void {
        chosen = orbit;
        picture.choose(orbit);
        rows.forEach((row, number) => {
            row.setAttribute('aria-selected', String(number === orbit));
            row.tabIndex = number === orbit ? 0 : -1;
        });
        showWithin(rows[orbit]?.closest('.rows') ?? null, rows[orbit]);
        details.replaceChildren(...detailsOf(graph, orbit));
        actions.replaceChildren(...actionsOn(graph, orbit));
        spoken.textContent = spokenOf(graph, orbit, path);
    }
    // Once the parts have places on the screen, the chosen orbit is scrolled to.
    requestAnimationFrame(() => choose(Math.min(chosen, graph.orbits.length - 1)));

    const hidden = hiddenSteps(graph);
    return [
        headerOf({
            ...content,
            mark: path.size > 0 ? 'violated' : graph.isWhole ? 'holds' : 'undecided',
            title: titleOfGraph(graph),
            subtitle: subtitleOf(graph, undefined),
            otherValues: otherValuesOf(content, graph.params),
        }),
        ...introductionOf(graph, path),
        barPart(content, graph, path, rows, picture.svg),
        element('div', { class: 'graph' }, canvas, element('div', { class: 'beside' }, table, details)),
        hidden === '' ? '' : element('p', { class: 'muted' }, hidden),
        spoken,
        element('p', { class: 'muted summary' }, `${figuresOf(graph)} · #`, actions),
        content.unfolded === undefined ? '' : unfoldedPart(content.unfolded),
    ];
}

/** One stop for the keyboard. */
function canvasPart(onArrow: (key: string) => void): HTMLElement {
    const label = 'State graph by depth. Arrow keys go along the edges; the table holds the same orbits.';
    const canvas = element('div', { class: 'canvas', tabindex: '0', role: 'group', 'aria-label': label });
    canvas.addEventListener('keydown', event => {
        if (event.key.startsWith('Arrow')) {
            event.preventDefault();
            onArrow(event.key);
        }
    });
    return canvas;
}

function introductionOf(graph: GraphDocument, path: ReadonlySet<number>): readonly Node[] {
    const way = wayTo(graph, path);
    return [
        ...(way === undefined ? [] : [element('p', { class: 'reason' }, way)]),
        element('p', { class: 'reason muted' }, readingOf(graph)),
    ];
}

/** What the picture is, the search, and the exports. */
function barPart(
    { fileName, reduction }: GraphContent,
    graph: GraphDocument,
    path: ReadonlySet<number>,
    rows: readonly HTMLElement[],
    svg: SVGSVGElement,
): Node {
    const find = element('input', { type: 'search', placeholder: 'Find', 'aria-label': 'Find orbits by their values' });
    find.addEventListener('input', () => {
        const wanted = find.value.trim().toLowerCase();
        rows.forEach(row => (row.hidden = !row.textContent.toLowerCase().includes(wanted)));
    });
    const save = (extension: string, text: string): void =>
        extensionHost.postMessage({
            kind: 'save',
            name: `${fileName.replace(/\.orbit$/, '')}-graph.${extension}`,
            text,
        });
    const other = reduction === 'none' ? 'unique' : 'none';
    return element(
        'div',
        { class: 'bar' },
        element('span', { class: 'muted legend' }, path.size > 0 ? 'double ring: violated' : ''),
        find,
        button(other === 'none' ? 'without symmetry' : 'with symmetry', { class: 'link' }, () =>
            extensionHost.postMessage({ kind: 'explore', reduction: other }),
        ),
        button('CSV', { class: 'link' }, () => save('csv', graphToCsv(graph))),
        button('SVG', { class: 'link' }, () => save('svg', toSvgText(svg))),
    );
}

/** A row for each orbit, in the order of their numbers; the keyboard goes up and down. */
function tablePart(
    graph: GraphDocument,
    path: ReadonlySet<number>,
    choose: (orbit: number) => void,
): { readonly table: Node; readonly rows: readonly HTMLElement[] } {
    const { columns, rows: cells } = tableOf(graph);
    const way = [...path];
    const rows = graph.orbits.map(({ violates, size = '?' }, orbit) => {
        const step = way.indexOf(orbit);
        return element(
            'tr',
            { class: path.has(orbit) ? 'on-path' : undefined },
            element('td', { class: 'mark' }, violates.length > 0 ? '✗' : ''),
            element('td', { class: 'number' }, step < 0 ? '' : String(step)),
            element('td', {}, `#${orbit}`),
            ...(cells[orbit] ?? []).map((value, column) =>
                element('td', { class: columns[column]?.isNumber === true ? 'number' : undefined }, value),
            ),
            element('td', { class: 'number' }, size),
        );
    });
    rows.forEach((row, orbit) => {
        row.addEventListener('click', () => choose(orbit));
        row.addEventListener('keydown', event => {
            const next = orbit + (event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0);
            if (next !== orbit && rows[next] !== undefined) {
                event.preventDefault();
                choose(next);
                rows[next].focus();
            }
        });
    });
    const titles = [
        '',
        'step',
        graph.group.order === '1' ? 'state' : 'orbit',
        ...columns.map(({ title }) => title),
        'size',
    ];
    const numbers = [false, true, false, ...columns.map(({ isNumber }) => isNumber), true];
    const heads = titles.map((title, index) =>
        // The first column has marks.
        element(
            title === '' ? 'td' : 'th',
            { scope: title === '' ? undefined : 'col', class: numbers[index] === true ? 'number' : undefined },
            title,
        ),
    );
    const table = element(
        'table',
        { role: 'grid', 'aria-label': 'Orbits' },
        element('thead', {}, element('tr', {}, ...heads)),
        element('tbody', {}, ...rows),
    );
    return { table: element('div', { class: 'rows' }, table), rows };
}

/** The state as a whole, and the step that led to it. */
function detailsOf(graph: GraphDocument, orbit: number): readonly Node[] {
    const { state, step, violates } = graph.orbits[orbit] ?? { state: {}, violates: [] };
    const values = Object.entries(state).map(([name, value]) =>
        element(
            'tr',
            {},
            element('th', { scope: 'row' }, name),
            element('td', {}, formatPlainValue(value, NO_VALUE_MARK)),
        ),
    );
    return [
        element('h2', {}, graphSubject(graph, orbit)),
        ...violates.map(({ name, location }) =>
            element('p', {}, '✗ ', ...withCode(`\`${name}\``), ' ', lineLink(location)),
        ),
        ...(step === undefined
            ? []
            : [
                  element(
                      'p',
                      {},
                      'by ',
                      element('code', {}, `${step.process} ${step.label}`),
                      ' ',
                      lineLink(step.location),
                  ),
              ]),
        element('div', { class: 'state' }, element('table', {}, element('tbody', {}, ...values))),
    ];
}

/** Buttons for the chosen orbit. */
function actionsOn({ orbits, isWhole, group }: GraphDocument, orbit: number): readonly (Node | string)[] {
    const { path, size } = orbits[orbit] ?? { path: [], size: '1' };
    const count = size ?? 'its';
    const unfold = button(`unfold its ${count} states`, { class: 'link' }, () =>
        extensionHost.postMessage({ kind: 'unfold', path }),
    );
    const around = button('show the part around it', { class: 'link' }, () =>
        extensionHost.postMessage({ kind: 'around', path }),
    );
    const start = button('back to the start', { class: 'link' }, () =>
        extensionHost.postMessage({ kind: 'around', path: [] }),
    );
    const parts = [
        ...(group.order === '1' || size === '1' ? [] : [unfold]),
        ...(isWhole ? [] : [around]),
        ...(shown !== undefined && shown.around.length > 0 ? [start] : []),
    ];
    return [`${orbit} chosen`, ...parts.flatMap((part, index) => [index === 0 ? ': ' : ' · ', part])];
}

/** The states of an orbit by what differs between them. */
function unfoldedPart({ states, isAll }: UnfoldResult): Node {
    if (states.length === 0) {
        return element('p', {}, 'The state is no longer one of the model: the text has changed since.');
    }
    const names = [...new Set(states.flatMap(state => Object.keys(state)))].filter(
        name => new Set(states.map(state => textOf(state, name))).size > 1,
    );
    const rows = states.map(state => element('tr', {}, ...names.map(name => element('td', {}, textOf(state, name)))));
    const title = isAll ? `Its ${states.length} states` : `The first ${states.length} of its states`;
    return element(
        'section',
        { class: 'unfolded', tabindex: '-1' },
        element('h2', {}, title),
        element(
            'table',
            {},
            element('thead', {}, element('tr', {}, ...names.map(name => element('th', { scope: 'col' }, name)))),
            element('tbody', {}, ...rows),
        ),
    );
}

function textOf(state: TraceEntryDocument['state'], name: string): string {
    return formatPlainValue(state[name], NO_VALUE_MARK);
}

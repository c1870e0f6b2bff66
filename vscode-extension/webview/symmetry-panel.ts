/** The symmetries of a model: the group, what it moves, its generators, and what breaks the symmetry one would expect. */
import { isProblemsDocument } from '../../language-server/protocol.js';
import type { BrokenSymmetry, SymmetryDocument } from '../../language-server/protocol.js';
import { button, element, extensionHost, withCode } from './elements.js';
import type { ContentMessage, SymmetriesContent } from './messages.js';
import { headerOf, problemList } from './shared-parts.js';
import { caveatOf, countSymmetries, describeStates, formatValue, nameGroup } from './wording.js';

const root = document.getElementById('root') as HTMLElement;

window.addEventListener('message', (event: MessageEvent<ContentMessage<SymmetriesContent>>) => {
    root.replaceChildren(...partsOf(event.data.content));
});
extensionHost.postMessage({ kind: 'ready' });

function partsOf(content: SymmetriesContent): readonly (Node | string)[] {
    const { document } = content;
    if (isProblemsDocument(document)) {
        return [
            headerOf({ ...content, mark: 'violated', title: 'The model has errors' }),
            problemList(document.problems),
        ];
    }
    const caveat = caveatOf(document);
    return [
        headerOf({ ...content, mark: 'symmetries', title: nameGroup(document), subtitle: subtitleOf(document) }),
        caveat === undefined ? '' : element('p', { class: 'stale' }, caveat),
        ...(document.heldFixed ?? []).map(({ message }) => element('p', {}, 'Held fixed: ', ...withCode(message), '.')),
        ...document.broken.map(brokenPart),
        ...(document.unexplained ?? []).map(text => element('p', {}, 'Not explained: ', ...withCode(text), '.')),
        structurePart(document),
        generatorsPart(document),
        orbitsPart(document.variableOrbits),
        propertiesPart(document),
        element(
            'p',
            { class: 'muted' },
            `Found in a colored graph of ${document.graph.vertices} vertices and ${document.graph.edges} edges; ` +
                (document.verified
                    ? 'each generator was checked against the model.'
                    : 'the generators were not checked.'),
        ),
    ];
}

function subtitleOf(document: SymmetryDocument): string {
    const parameters = Object.entries(document.params).map(([name, value]) => `${name} = ${formatValue(value)}`);
    return [document.model, ...parameters].join(' · ');
}

function brokenPart(broken: BrokenSymmetry): Node {
    const places = broken.locations.map(location =>
        element(
            'li',
            {},
            button(`Line ${location.line}: ${location.text}`, { class: 'link' }, () =>
                extensionHost.postMessage({ kind: 'reveal', location }),
            ),
        ),
    );
    const title = `Expected ${broken.expected}, found ${broken.found}`;
    return element(
        'section',
        {},
        element('h2', {}, title),
        element('p', {}, ...withCode(broken.message)),
        element('ul', {}, ...places),
    );
}

/** What each direct factor permutes, and how many states are distinct. */
function structurePart(document: SymmetryDocument): Node | string {
    if (document.order === '1') {
        return '';
    }
    const factors = document.factors.map(({ structure, permutes, moves }) =>
        element(
            'li',
            {},
            `${structure}: `,
            ...withCode(permutes),
            element('span', { class: 'muted' }, ` · moves ${moves.join(', ')}`),
        ),
    );
    return element(
        'section',
        {},
        element('h2', {}, 'Structure'),
        factors.length === 0 ? '' : element('ul', {}, ...factors),
        ...describeStates(document).map(text => element('p', {}, text)),
    );
}

/** Each generator in cycle notation; its moves one by one are a click away, for there are many. */
function generatorsPart(document: SymmetryDocument): Node {
    const items = document.generators.map(({ cycles, moves }) => {
        const summary = element('summary', {}, moves.length === 1 ? '1 move' : `${moves.length} moves`);
        const list = element('p', { class: 'moves' }, moves.join(', '));
        const details = moves.length === 0 ? undefined : element('details', {}, summary, list);
        return element('li', {}, element('code', {}, cycles), details);
    });
    return section(
        'Generators',
        items.length === 0 ? 'Only the identity.' : element('ol', { class: 'generators' }, ...items),
    );
}

/** Variables that some symmetry maps to each other stand on one line. */
function orbitsPart(orbits: readonly (readonly string[])[]): Node {
    const items = orbits.map(orbit => element('li', {}, element('code', {}, orbit.join('  '))));
    return section('Orbits of variables', element('ul', { class: 'orbits' }, ...items));
}

function propertiesPart(document: SymmetryDocument): Node {
    const items = document.properties.map(property =>
        element('li', {}, `${property.name} keeps ${property.structure}, ${countSymmetries(property.order)}`),
    );
    return items.length === 0 ? element('div') : section('Properties', element('ul', {}, ...items));
}

function section(title: string, body: Node | string): Node {
    return element('section', {}, element('h2', {}, title), body);
}

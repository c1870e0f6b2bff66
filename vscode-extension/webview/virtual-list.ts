/**
 * A list with rows of one height, of which only those in sight are in the document: a run of ten thousand steps is shown
 * as soon as a short one, and choosing a row touches two. The list is one stop for the keyboard.
 */
import { element } from './elements.js';

export interface VirtualListOptions {
    readonly label: string;
    readonly rowHeight: number;
    /** `listbox` with rows as options, or `grid`. */
    readonly role: 'listbox' | 'grid';
    /** The content of a row. */
    readonly fill: (row: number) => readonly (Node | string)[];
    /** What a screen reader says after the content. */
    readonly spokenOf: (row: number) => string;
    /** By a click or a key; the row is marked already. */
    readonly onChoose: (row: number) => void;
    /** Enter, or a double click. */
    readonly onOpen: (row: number) => void;
    /** The row to which down leads from the last one; it stays there if undefined. */
    readonly afterLast: () => number | undefined;
}

export interface VirtualList {
    readonly element: HTMLElement;
    /** The rows that are shown, in this order. */
    show(rows: readonly number[]): void;
    /** Marks a row and brings it into sight. */
    choose(row: number): void;
}

/** Rows above and below those in sight. */
const MARGIN = 12;
const PAGE = 10;

let listCount = 0;

export function virtualList(options: VirtualListOptions): VirtualList {
    const { rowHeight, role, label } = options;
    const prefix = `list-${listCount++}`;
    const body = element('div', { class: 'rows-in-sight', role: 'presentation' });
    const list = element('div', { class: 'virtual', role, tabindex: '0', 'aria-label': label }, body);
    /** The elements of the rows in the document. */
    const present = new Map<number, HTMLElement>();
    let rows: readonly number[] = [];
    let placeOf = new Map<number, number>();
    let chosen = -1;

    function render(): void {
        const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - MARGIN);
        const height = list.clientHeight || DEFAULT_HEIGHT;
        const last = Math.min(rows.length - 1, Math.ceil((list.scrollTop + height) / rowHeight) + MARGIN);
        const wanted = new Set(rows.slice(first, last + 1));
        for (const [row, node] of present) {
            if (!wanted.has(row)) {
                node.remove();
                present.delete(row);
            }
        }
        for (const row of wanted) {
            const node = present.get(row) ?? createRow(row);
            node.style.top = `${(placeOf.get(row) ?? 0) * rowHeight}px`;
        }
    }

    function createRow(row: number): HTMLElement {
        const node = element(
            'div',
            {
                id: `${prefix}-${row}`,
                class: 'row',
                role: role === 'grid' ? 'row' : 'option',
                'aria-selected': String(row === chosen),
                ...placeAttributes((placeOf.get(row) ?? 0) + 1),
            },
            ...options.fill(row),
            element('span', { class: 'spoken', ...(role === 'grid' && { role: 'gridcell' }) }, options.spokenOf(row)),
        );
        node.addEventListener('click', () => choose(row, true));
        node.addEventListener('dblclick', () => options.onOpen(row));
        present.set(row, node);
        body.append(node);
        return node;
    }

    /** Rows out of sight are not in the document, so that each says where it stands. */
    function placeAttributes(place: number): Readonly<Record<string, string>> {
        return role === 'grid'
            ? { 'aria-rowindex': String(place) }
            : { 'aria-setsize': String(rows.length), 'aria-posinset': String(place) };
    }

    function choose(row: number, isByUser: boolean): void {
        present.get(chosen)?.setAttribute('aria-selected', 'false');
        chosen = row;
        const place = placeOf.get(row);
        if (place !== undefined) {
            const [top, bottom] = [place * rowHeight, (place + 1) * rowHeight];
            const height = list.clientHeight || DEFAULT_HEIGHT;
            if (top < list.scrollTop || bottom > list.scrollTop + height) {
                list.scrollTop = top < list.scrollTop ? top : bottom - height;
            }
            render();
            present.get(row)?.setAttribute('aria-selected', 'true');
            list.setAttribute('aria-activedescendant', `${prefix}-${row}`);
        }
        if (isByUser) {
            options.onChoose(row);
        }
    }

    list.addEventListener('scroll', render, { passive: true });
    new ResizeObserver(render).observe(list);
    list.addEventListener('keydown', event => {
        const place = placeOf.get(chosen) ?? 0;
        const target = {
            ArrowUp: place - 1,
            ArrowDown: place + 1,
            PageUp: place - PAGE,
            PageDown: place + PAGE,
            Home: 0,
            End: rows.length - 1,
        }[event.key];
        const isPast = event.key === 'ArrowDown' && place === rows.length - 1;
        const row =
            target === undefined
                ? undefined
                : ((isPast ? options.afterLast() : undefined) ?? rows[Math.max(0, Math.min(rows.length - 1, target))]);
        if (row !== undefined) {
            event.preventDefault();
            choose(row, true);
        } else if (event.key === 'Enter') {
            options.onOpen(chosen);
        }
    });
    return {
        element: list,
        show(shown) {
            rows = shown;
            placeOf = new Map(shown.map((row, place) => [row, place]));
            present.forEach(node => node.remove());
            present.clear();
            if (role === 'grid') {
                list.setAttribute('aria-rowcount', String(rows.length));
            }
            body.style.height = `${rows.length * rowHeight}px`;
            list.style.height = `min(60vh, ${Math.min(DEFAULT_HEIGHT, Math.max(1, rows.length) * rowHeight)}px)`;
            render();
        },
        choose: row => choose(row, false),
    };
}

/** Before the list has a height of its own. */
const DEFAULT_HEIGHT = 480;

/**
 * A run as evidence: a list, columns or a chart, with the state after the chosen step beside it and the steps that are
 * possible there. Steps that the reader takes go on from the chosen state.
 */
import type { DocumentLocation, TraceEntryDocument } from '../../language-server/document-schema.js';
import { askedValues } from './asked-values.js';
import { button, element, extensionHost } from './elements.js';
import { toSvgText } from './shapes.js';
import { lineLink } from './shared-parts.js';
import { statePane } from './state-pane.js';
import { drawChart, hasChart, type Chart } from './trace-chart.js';
import { columnCells, columnHeads, gridOf, waitingRow } from './trace-columns.js';
import { toCsv, toMarkdown } from './trace-export.js';
import { columnsOf, numbersIn, type Columns } from './trace-instances.js';
import { longestText, matches, messagesOf, rowsOf, type TraceRow } from './trace-rows.js';
import { virtualList, type VirtualList } from './virtual-list.js';
import { whatNowPart } from './what-now.js';

export interface TraceViewOptions {
    /** A run that was found; empty if the reader goes step by step from the start. */
    readonly entries: readonly TraceEntryDocument[];
    /** The entry that the last one equals, so that the steps after it are repeated for ever; the last one if the run ends. */
    readonly loopStart?: number;
    /** The kind of the last state. */
    readonly end: 'deadlock' | 'violated' | undefined;
    /** Where the violated property stands: shown for the start. */
    readonly location: DocumentLocation | undefined;
    /** For exports. */
    readonly title: string;
    readonly reason: readonly string[];
    readonly fileName: string;
    /** The run as JSON; with steps of the reader these entries. */
    readonly toJson: (walked: readonly TraceEntryDocument[] | undefined) => string;
    /** The place of a line in the log that the run explains; undefined if it has none. */
    readonly placeInLog?: (line: number) => DocumentLocation | undefined;
    /** As in RunContent. */
    readonly asked: readonly string[];
    /** The state of the view, and the function that stores it. */
    readonly view: ViewState;
    readonly onView: (view: ViewState) => void;
}

/** Survives updates of the panel and hiding it. */
export interface ViewState {
    readonly form: Form | undefined;
    readonly row: number | undefined;
    readonly showsAll: boolean;
}

type Form = 'list' | 'columns' | 'chart';

/** The reader's own steps are not kept when the panel is hidden. */
export class TraceView {
    readonly element = element('section', { class: 'evidence', 'aria-label': 'Run' });
    private readonly options: TraceViewOptions;
    /** The run, or its beginning and what the reader has chosen after it. */
    private entries: readonly TraceEntryDocument[];
    /** By number of own steps: the entries before each of them. */
    private readonly earlier: (readonly TraceEntryDocument[])[] = [];
    private rows: readonly TraceRow[] = [];
    private row: number;
    private form: Form;
    private showsAll: boolean;
    private comparedWith: number | undefined;
    private wanted = '';
    private asked: readonly string[];
    private list: VirtualList | undefined;
    private chart: Chart | undefined;
    private columns: Columns | undefined;
    private readonly beside = element('div', { class: 'beside' });
    private readonly spoken = element('p', { class: 'spoken', 'aria-live': 'polite' });

    constructor(options: TraceViewOptions) {
        const { entries, view } = options;
        this.options = options;
        this.entries = entries;
        this.showsAll = view.showsAll;
        this.asked = options.asked;
        this.row = Math.min(view.row ?? Infinity, Math.max(0, entries.length - 1));
        this.rows = rowsOf(entries);
        const isOfLog = options.placeInLog !== undefined;
        this.form = view.form ?? (this.isNarrowRun() && !isOfLog ? 'columns' : 'list');
        this.render();
    }

    /** Two to eight instances: each has a column. */
    private isNarrowRun(): boolean {
        const count = columnsOf(this.entries, this.rows).instances.length;
        return count >= 2 && count <= 8 && this.entries.length > 1;
    }

    /** Shows the values of these expressions in each state. */
    show(asked: readonly string[]): void {
        if (JSON.stringify(asked) !== JSON.stringify(this.asked)) {
            this.asked = asked;
            this.fillBeside();
        }
    }

    /** Call when the element has a new place in the document: what was scrolled is brought into sight again. */
    attached(): void {
        this.list?.choose(this.row);
    }

    /** `takesFocus`: the reader goes on with the next step. */
    private render(takesFocus = false): void {
        this.rows = rowsOf(this.entries);
        const evidence = this.entries.length === 0 ? undefined : this.evidence();
        this.element.replaceChildren(
            ...(this.entries.length === 0 ? [] : [this.bar()]),
            element('div', { class: `split as-${this.form}` }, evidence, this.beside),
            this.spoken,
        );
        this.showRows();
        this.choose(this.row, false, takesFocus);
    }

    private evidence(): Node {
        this.list = undefined;
        this.chart = undefined;
        if (this.form === 'chart') {
            const messages = messagesOf(this.entries);
            this.chart = drawChart(this.entries, this.rows, messages, {
                onChoose: row => this.choose(row, true),
                loopStart: this.loopStart(),
            });
            const canvas = element('div', {
                class: 'chart',
                tabindex: '0',
                role: 'listbox',
                'aria-label': 'Sequence chart; up and down choose a step',
            });
            canvas.append(this.chart.svg);
            canvas.addEventListener('keydown', event => this.onChartKey(event));
            return element('div', {}, canvas, this.loopEnd());
        }
        this.columns = this.form === 'columns' ? columnsOf(this.entries, this.rows) : undefined;
        const { columns } = this;
        this.list = virtualList({
            label: 'Steps of the run',
            rowHeight: columns === undefined ? 24 : 28,
            role: columns === undefined ? 'listbox' : 'grid',
            fill: row => [
                ...this.loopMark(row),
                ...(columns === undefined
                    ? this.listCells(row)
                    : columnCells(this.rows[row] ?? NO_ROW, row, columns, this.entries)),
            ],
            spokenOf: row => (columns === undefined ? this.describeEnd(row) : this.describe(row)),
            onChoose: row => this.choose(row, true),
            onOpen: row => this.reveal(row),
            afterLast: () => (this.row === this.entries.length - 1 ? this.loopStart() : undefined),
        });
        this.list.element.classList.add(this.form === 'columns' ? 'in-columns' : 'steps');
        if (columns === undefined) {
            const { style } = this.list.element;
            const setWidth = (column: string, most: number, textOf: (row: TraceRow) => string): void =>
                style.setProperty(column, `${Math.min(most, Math.max(4, longestText(this.rows, textOf))) + 1}ch`);
            setWidth('--who', 28, ({ movers }) => movers.slice(0, MOST_MOVERS).join(' · '));
            setWidth('--label', 24, ({ label }) => label);
            style.setProperty('--number', `${Math.max(3, String(this.rows.length).length)}ch`);
            return element('div', {}, this.list.element, this.loopEnd());
        }
        const isStuck = this.options.end === 'deadlock' && this.earlier.length === 0;
        const last = this.entries.at(-1)?.state ?? {};
        const part = element(
            'div',
            { class: 'columns-part' },
            columnHeads(columns),
            this.list.element,
            isStuck ? waitingRow(last, columns) : undefined,
            this.loopEnd(),
        );
        const { template, width } = gridOf(columns, this.rows);
        part.style.setProperty('--columns', template);
        part.style.setProperty('--width', `${width}px`);
        return part;
    }

    /** Where the steps that are repeated for ever begin; undefined without any, and if the reader goes another way. */
    private loopStart(): number | undefined {
        const { loopStart } = this.options;
        const isLoop = loopStart !== undefined && loopStart < this.entries.length - 1;
        return isLoop && this.earlier.length === 0 ? loopStart : undefined;
    }

    /** A part of the bracket around the loop. */
    private loopMark(row: number): readonly Node[] {
        const start = this.loopStart();
        if (start === undefined || row < start) {
            return [];
        }
        const part = row === start ? ' first' : row === this.entries.length - 1 ? ' last' : '';
        return [element('span', { class: `loop-mark${part}`, 'aria-hidden': 'true' })];
    }

    /** How the run goes on after its last state; undefined unless that is known. */
    private loopEnd(): HTMLElement | undefined {
        const start = this.loopStart();
        if (start !== undefined) {
            const back = button(`back to ${start}, for ever`, { class: 'link', id: 'loop-back' }, () =>
                this.choose(start, true),
            );
            return element('p', { class: 'loop-end' }, back);
        }
        const isEnd = this.options.loopStart === this.entries.length - 1 && this.earlier.length === 0;
        return isEnd ? element('p', { class: 'loop-end muted' }, 'then nothing happens any more') : undefined;
    }

    private listCells(row: number): readonly (Node | string)[] {
        const shown = this.rows[row] ?? NO_ROW;
        const { movers, label, note, like, location, fault } = shown;
        const loop = this.loopStart() === row ? element('span', { class: 'loop' }, 'the loop begins here') : '';
        if (movers.length === 0) {
            return [
                element('span', { class: 'number' }, String(row)),
                element('span', { class: 'muted' }, 'start'),
                ...(loop === '' ? [] : [element('span'), element('span'), loop]),
            ];
        }
        const more = movers.length > MOST_MOVERS ? ` and ${movers.length - MOST_MOVERS} others` : '';
        return [
            element('span', { class: 'number' }, String(row)),
            element('code', { class: 'who' }, movers.slice(0, MOST_MOVERS).join(' · ') + more),
            element('code', { class: 'label' }, label),
            element(
                'span',
                { class: note === '' ? 'note muted' : 'note', title: note },
                fault === 'slots'
                    ? 'one more than there may be'
                    : fault !== undefined
                      ? `✗ fault: ${fault}`
                      : note !== ''
                        ? note
                        : like === undefined
                          ? ''
                          : `as ${like}`,
            ),
            loop,
            this.logLink(row),
            location === undefined ? '' : rowLink(location),
        ];
    }

    /** The line of the log that the step is; that of a document of spans is only said. */
    private logLink(row: number): Node | string {
        const { logLine } = this.entries[row] ?? NO_ENTRY;
        const { placeInLog } = this.options;
        if (logLine === undefined || placeInLog === undefined) {
            return '';
        }
        const place = placeInLog(logLine);
        const text = place === undefined ? `span ${logLine}` : `log ${logLine}`;
        return place === undefined ? element('span', { class: 'muted log-line' }, text) : logLineLink(place, text);
    }

    /** For a screen reader: `Step 5 of 5. Phil[4] and Fork[0]: get[4, 0]. Like step 1. Line 22.` */
    private describe(row: number): string {
        const { movers, label, note, like, location } = this.rows[row] ?? NO_ROW;
        const last = this.entries.length - 1;
        return [
            row === 0 ? 'Start.' : `Step ${row} of ${last}. ${movers.join(' and ')}: ${label}.`,
            note === '' ? '' : `${note}.`,
            like === undefined ? '' : `Like step ${like}.`,
            location === undefined ? '' : `Line ${location.line}.`,
            this.entries[row]?.logLine === undefined ? '' : `Log line ${this.entries[row].logLine}.`,
            row === this.loopStart() ? 'The loop begins here.' : '',
            this.describeEnd(row),
        ]
            .filter(part => part !== '')
            .join(' ');
    }

    private describeEnd(row: number): string {
        const start = this.loopStart();
        return start !== undefined && row === this.entries.length - 1 ? `Then back to ${start}, for ever.` : '';
    }

    private bar(): Node {
        const tabs = FORMS.filter(form => form !== 'chart' || hasChart(this.rows, messagesOf(this.entries))).map(
            form => {
                const tab = button(
                    FORM_NAMES[form],
                    {
                        role: 'tab',
                        class: 'tab',
                        id: `tab-${form}`,
                        'aria-selected': String(form === this.form),
                        tabindex: form === this.form ? '0' : '-1',
                    },
                    () => {
                        this.form = form;
                        this.store();
                        this.render();
                        document.getElementById(`tab-${form}`)?.focus();
                    },
                );
                return tab;
            },
        );
        const list = element('div', { role: 'tablist', class: 'tabs', 'aria-label': 'Form of the run' }, ...tabs);
        list.addEventListener('keydown', event => {
            const at = tabs.indexOf(document.activeElement as HTMLElement);
            const target = tabs[at + ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? NaN)];
            target?.click();
        });
        return element('div', { class: 'bar' }, list, this.filter(), this.exports());
    }

    private filter(): Node {
        const input = element('input', {
            type: 'search',
            id: 'filter',
            placeholder: 'Find',
            'aria-label': 'Show the steps with this process, variable or text',
            value: this.wanted,
        });
        input.addEventListener('input', () => {
            this.wanted = input.value;
            this.showRows();
        });
        input.addEventListener('keydown', event => {
            if (event.key === 'Escape') {
                input.value = this.wanted = '';
                this.showRows();
            }
        });
        return input;
    }

    private exports(): Node {
        const { toJson, title, reason, fileName } = this.options;
        const save = (extension: string, text: () => string): Node =>
            button(extension.toUpperCase(), { class: 'link' }, () =>
                extensionHost.postMessage({
                    kind: 'save',
                    name: `${fileName.replace(/\.orbit$/, '')}-run.${extension}`,
                    text: text(),
                }),
            );
        const { chart } = this;
        return element(
            'span',
            { class: 'exports muted' },
            'Export ',
            save('json', () => toJson(this.earlier.length === 0 ? undefined : this.entries)),
            save('csv', () => toCsv(this.entries)),
            save('md', () => toMarkdown(title, reason, this.entries, this.loopEnd()?.textContent ?? undefined)),
            chart === undefined ? undefined : save('svg', () => toSvgText(chart.svg)),
        );
    }

    /** The rows that fit the filter; pictures show all. */
    private showRows(): void {
        const all = [...this.rows.keys()];
        const wanted = this.wanted.trim();
        this.list?.show(
            wanted === ''
                ? all
                : all.filter(row => matches(this.rows[row] ?? NO_ROW, this.entries[row] ?? NO_ENTRY, wanted)),
        );
        this.list?.choose(this.row);
    }

    private choose(row: number, isByUser: boolean, takesFocus = false): void {
        this.row = row;
        this.list?.choose(row);
        this.chart?.choose(row);
        this.fillBeside(takesFocus);
        if (isByUser) {
            this.store();
            this.reveal(row);
            this.spoken.textContent = this.form === 'chart' ? this.describe(row) : '';
        }
    }

    private fillBeside(takesFocus = false): void {
        const entry = this.entries[this.row];
        const state =
            entry === undefined
                ? undefined
                : statePane({
                      entries: this.entries,
                      row: this.row,
                      showsAll: this.showsAll,
                      comparedWith: this.comparedWith,
                      onShowAll: showsAll => {
                          this.showsAll = showsAll;
                          this.store();
                          this.fillBeside();
                          document.getElementById(showsAll ? 'show-all' : 'show-changed')?.focus();
                      },
                      onCompare: row => {
                          this.comparedWith = row;
                          this.fillBeside();
                      },
                  });
        const before = this.entries[this.comparedWith ?? this.row - 1]?.state;
        const asked = entry && askedValues(this.asked, entry.state, before);
        const hasOwn = this.earlier.length > 0;
        const whatNow = whatNowPart(entry, {
            created: numbersIn(this.entries.slice(0, this.row + 1)),
            next: this.entries[this.rowAfter(this.row)],
            onTake: taken => this.take(taken),
            onBack: hasOwn ? () => this.back() : undefined,
            onRestart: hasOwn ? () => this.restart() : undefined,
            takesFocus,
            isDeadlock: !hasOwn && this.options.end === 'deadlock' && this.row === this.entries.length - 1,
        });
        this.beside.replaceChildren(...[asked, state, whatNow].filter(part => part !== undefined));
    }

    /** After the last state of a loop the run goes on as after its first. */
    private rowAfter(row: number): number {
        const start = this.loopStart();
        return (start !== undefined && row === this.entries.length - 1 ? start : row) + 1;
    }

    private take(taken: readonly TraceEntryDocument[]): void {
        const next = this.rowAfter(this.row);
        const [only, ...others] = taken;
        if (next <= this.row && others.length === 0 && isSameStep(only, this.entries[next])) {
            this.goTo(next);
            return;
        }
        this.earlier.push(this.entries);
        this.entries = [...this.entries.slice(0, this.row + 1), ...taken];
        this.goTo(this.entries.length - 1);
        const last = this.rows.at(-1);
        this.spoken.textContent = last === undefined ? '' : this.describe(this.entries.length - 1);
    }

    private back(): void {
        const length = this.entries.length;
        this.entries = this.earlier.pop() ?? this.options.entries;
        this.goTo(Math.max(0, Math.min(length - 2, this.entries.length - 1)));
    }

    private restart(): void {
        this.earlier.length = 0;
        this.entries = this.options.entries;
        this.goTo(Math.max(0, this.entries.length - 1));
    }

    private goTo(row: number): void {
        this.row = row;
        this.comparedWith = undefined;
        this.render(true);
        this.reveal(row);
    }

    private reveal(row: number): void {
        const location = this.rows[row]?.location ?? this.options.location;
        const { logLine } = this.entries[row] ?? NO_ENTRY;
        const also = logLine === undefined ? undefined : this.options.placeInLog?.(logLine);
        if (location !== undefined) {
            extensionHost.postMessage({ kind: 'reveal', location, ...(also !== undefined && { also }) });
        }
    }

    private onChartKey(event: KeyboardEvent): void {
        const last = this.rows.length - 1;
        const below = this.row === last ? (this.loopStart() ?? last) : this.row + 1;
        const target = { ArrowUp: this.row - 1, ArrowDown: below, Home: 0, End: last }[event.key];
        if (target !== undefined) {
            event.preventDefault();
            this.choose(Math.max(0, Math.min(last, target)), true);
        } else if (event.key === 'Enter') {
            this.reveal(this.row);
        }
    }

    private store(): void {
        const isOwn = this.earlier.length > 0;
        this.options.onView({ form: this.form, row: isOwn ? undefined : this.row, showsAll: this.showsAll });
    }
}

/** No stop for the keyboard: in a list Enter shows the place of the chosen row. */
function rowLink(location: DocumentLocation): HTMLElement {
    const link = lineLink(location);
    link.tabIndex = -1;
    return link;
}

/**
 * Shows the line of the log, and not what else the choice of its row would show. For the mouse: a row has no control in
 * it, and its choice shows the line, too.
 */
function logLineLink(location: DocumentLocation, text: string): HTMLElement {
    const link = element('span', { class: 'link log-line' }, text);
    link.addEventListener('click', event => {
        event.stopPropagation();
        extensionHost.postMessage({ kind: 'reveal', location });
    });
    return link;
}

function isSameStep(one: TraceEntryDocument | undefined, other: TraceEntryDocument | undefined): boolean {
    const told = ({ step, state }: TraceEntryDocument): string => JSON.stringify([step?.process, step?.label, state]);
    return one !== undefined && other !== undefined && told(one) === told(other);
}

const FORMS: readonly Form[] = ['list', 'columns', 'chart'];
const FORM_NAMES = { list: 'List', columns: 'Columns', chart: 'Chart' } as const;
const MOST_MOVERS = 2;
const NO_ROW: TraceRow = { movers: [], label: '', note: '' };
const NO_ENTRY: TraceEntryDocument = { step: null, state: {}, changed: [] };

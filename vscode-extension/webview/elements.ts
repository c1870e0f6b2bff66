/** Building the document of a panel. Text always enters as text, never as markup. */
import type {
    FrameMessage,
    GraphMessage,
    PanelMessage,
    ReadyMessage,
    SweepMessage,
    SymmetryMessage,
} from './messages.js';

/** The interface of VS Code for the scripts of a webview. */
interface WebviewApi {
    postMessage(
        message: ReadyMessage | FrameMessage | PanelMessage | GraphMessage | SymmetryMessage | SweepMessage,
    ): void;
    getState(): object | undefined;
    setState(state: object): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The connection to the extension. May be acquired once only. */
export const extensionHost = acquireVsCodeApi();

type Child = Node | string | undefined;

/** A new element with attributes and children; an undefined child or attribute is left out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes: Readonly<Record<string, string | undefined>> = {},
    ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
    const created = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) {
        if (value !== undefined) {
            created.setAttribute(attribute, value);
        }
    }
    created.append(...children.filter(child => child !== undefined));
    return created;
}

/** A message with the text between backquotes as code. */
export function withCode(message: string): (Node | string)[] {
    return message.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)));
}

/** A button that calls `onClick`. */
export function button(text: string, attributes: Readonly<Record<string, string>>, onClick: () => void): HTMLElement {
    const created = element('button', { type: 'button', ...attributes }, text);
    created.addEventListener('click', onClick);
    return created;
}

/** Scrolls a part of a list or a picture into sight, and nothing around that: the verdict above stays where it is. */
export function showWithin(container: Element | null, part: Element | undefined): void {
    if (container === null || part === undefined) {
        return;
    }
    const [outer, inner] = [container.getBoundingClientRect(), part.getBoundingClientRect()];
    container.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
    if (inner.width <= outer.width) {
        container.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
    }
}

/** Makes the buttons of an element one stop for the keyboard: up and down, Home and End go through them. */
export function oneStop<Stop extends HTMLElement>(container: Stop): Stop {
    const buttons = (): HTMLButtonElement[] => [...container.querySelectorAll('button')];
    buttons().forEach((each, index) => (each.tabIndex = index === 0 ? 0 : -1));
    container.addEventListener('keydown', event => {
        const stops = buttons();
        const at = stops.indexOf(document.activeElement as HTMLButtonElement);
        const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: stops.length - 1 }[event.key];
        const stop = at < 0 || target === undefined ? undefined : stops[target];
        if (stop !== undefined) {
            event.preventDefault();
            stop.focus();
        }
    });
    return container;
}
